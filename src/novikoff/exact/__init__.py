"""Integers and rationals: what is decided here is decided exactly."""
