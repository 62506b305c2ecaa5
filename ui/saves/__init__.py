"""Saved games and set-up links as text."""
