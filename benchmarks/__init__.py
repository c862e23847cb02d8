"""Speed and memory beside peers: seeded workloads, answers compared before times."""
