"""The perceptron and its relatives, one algorithm a file."""
