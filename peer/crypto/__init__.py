"""Signatures, key exchange, sealed boxes and shared secrets."""
