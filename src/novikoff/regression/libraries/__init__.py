"""Fitted models of other libraries as regressions: one file a library."""
