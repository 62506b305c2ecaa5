"""The game that follows from the log: seats, coins, deals and what each device may see."""
