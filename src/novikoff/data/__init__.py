"""Data: readers of files, built-in data sets, synthetic data of known margin."""
