"""Certificates as theorems that Coq checks: `Novikoff.v` proves what each kind of them means."""
