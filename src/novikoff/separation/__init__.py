"""Does the estimate exist? Separation in every regression, and what to do about it."""
