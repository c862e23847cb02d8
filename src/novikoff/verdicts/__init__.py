"""What can be answered: plain data."""
