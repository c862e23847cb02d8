"""Does the maximum likelihood estimate exist? If not: which coefficients are infinite, and why."""
