"""Benchmarks of our own code and of comparable projects: `make bench`."""
