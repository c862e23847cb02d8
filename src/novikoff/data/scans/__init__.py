"""Files that are read in batches, not held in memory."""
