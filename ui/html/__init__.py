"""A virtual page: nodes, the difference between two trees, and the parts every screen shares."""
