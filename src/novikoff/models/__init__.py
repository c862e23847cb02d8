"""Models in files: saved and loaded without pickle, so that loading runs nothing."""
