"""The JSON of the lab's API, as types."""
