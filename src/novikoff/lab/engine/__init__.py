"""Answers for the lab's page, computed in worker processes: one question a file."""
