"""Exact proofs of what the search proposes."""
