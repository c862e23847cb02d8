"""What the lab's page asks for, computed in worker processes: one question a file."""
