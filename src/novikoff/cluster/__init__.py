"""The same work on a Dask cluster: rows stay where they live, and weights travel."""
