"""Benchmarks beside Pinocchio, MuJoCo and frax: `python -m benchmarks --help`."""
