"""Exact arithmetic: integers, rationals, signs of scores, linear algebra without rounding."""
