"""Certificates: what can be claimed, the file format, and the verifier."""
