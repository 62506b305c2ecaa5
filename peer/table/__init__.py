"""A table from the invitation to the last card: lobby, running game, admission and rejoining."""
