"""Is it separable? Verdicts with proofs, and what they mean."""
