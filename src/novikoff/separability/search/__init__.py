"""Floating-point search for a separator or for multipliers. It proves nothing."""
