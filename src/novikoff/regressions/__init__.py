"""The rows of each regression: one question for all of them, asked of the same engine."""
