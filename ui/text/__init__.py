"""Texts for people in five languages."""
