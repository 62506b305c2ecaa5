"""The game as the log tells it: seats, coins, deals and what each device may see."""
