"""Labelled rows, wherever they are: arrays, CSR matrices, scanned files, Dask partitions."""
