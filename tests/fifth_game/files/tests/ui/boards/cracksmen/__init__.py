"""Tests of the board of Cracksmen."""

#: values of refusals that are counts, which people read as they are
COUNTS = {"safes"}
