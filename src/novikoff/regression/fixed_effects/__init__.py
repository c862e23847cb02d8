"""Separation in models with two sets of fixed effects, as a graph of their levels."""
