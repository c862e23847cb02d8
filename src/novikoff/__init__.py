"""Linear classification with proofs: can a line separate these, and can you prove it?"""
