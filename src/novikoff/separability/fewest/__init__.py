"""The hyperplane with the fewest errors, between two proven bounds."""
