"""One algorithm a file: pure compiled loops, arrays in and arrays out."""
