"""Limits of the lab: it is for looking; the command line is for large data."""

BODY_BYTES = 4 * 2**20
POINTS = 2000
COLUMNS = 50
LARGEST_NUMBER = 1e9
NAME_LENGTH = 200
EPOCHS = 10_000
STEPS_AT_ONCE = 64
HIDDEN_UNITS = 8

REQUEST_SECONDS = 20.0  # until a request has come whole: 4 MiB on a slow line, too
QUICK_SECONDS = 10.0  # a verdict, a run, a step
SLOW_SECONDS = 30.0  # what lies beyond: kernels, lifts, networks, the fewest errors
WAITING = 1000  # requests of a pool that may wait for an answer before more are refused

# A question within these waits for no larger one.
SMALL_BYTES = 32 * 2**10
SMALL_RUN = 500_000  # numbers that its epochs look at
SMALL_BEYOND = 500  # numbers that a network, a kernel or the fewest errors are asked for
