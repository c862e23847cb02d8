"""Proofs in small files, and who checks them."""
