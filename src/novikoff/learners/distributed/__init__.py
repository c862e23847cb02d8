"""The perceptron on a Dask cluster: one pass over the partitions, or parameter mixing."""
