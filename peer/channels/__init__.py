"""Encrypted channels between devices, and the routes that carry them."""
