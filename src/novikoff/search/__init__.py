"""Floating point: it proposes, and proves nothing."""
