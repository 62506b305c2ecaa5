"""The screens of a table by link."""
