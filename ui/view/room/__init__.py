"""Views of a table by link."""
