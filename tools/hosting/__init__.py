"""Helps the host of a page: the base of the endpoint's container, and the settings of tables by link."""
