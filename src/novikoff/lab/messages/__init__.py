"""What the page may ask, and what the engine answers: the JSON of the API, as types."""
