"""Certificates as theorems for Coq, on the theory in `Novikoff.v`."""
