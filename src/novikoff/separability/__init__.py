"""Is there a separating hyperplane? Search proposes an answer, and a proof decides."""
