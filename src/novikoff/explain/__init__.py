"""What a verdict means, in words."""
