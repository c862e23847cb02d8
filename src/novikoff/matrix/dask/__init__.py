"""Labelled rows in the partitions of a Dask cluster."""
