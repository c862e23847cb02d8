"""What was proposed, proven on the points as they are, or refused."""
