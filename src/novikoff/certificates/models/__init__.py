"""The rows that each regression model contributes."""
