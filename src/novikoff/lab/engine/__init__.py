"""Everything that is computed for the page, one question a file; it runs in worker processes."""
