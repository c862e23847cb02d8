"""Shared by all packages, without mathematics: time limits, progress, files, options."""
