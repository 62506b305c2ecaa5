"""The tests of the fifth game run only in a copy of the project in which there is such a game."""

collect_ignore = ["files"]
