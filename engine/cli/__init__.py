"""The command line: play, simulate, replay and verify games, and let bots compete."""
