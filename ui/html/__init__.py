"""The virtual page: nodes, the difference between two trees, and the parts all screens share."""
