"""What is measured, and against whom: `make bench`."""
