"""The perceptron on a cluster: partitions in their order, or all at once and mixed."""
