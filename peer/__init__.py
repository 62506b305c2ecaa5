"""Playing by link: one signed, replicated log, and the game on top of it. `docs/by-link.md` says what is where.

No socket, no clock and no browser in here, but in `rooms` and what only `rooms` imports.
A driver feeds a `Device` with frames and time, and carries out what it puts out, strictly in that order.
"""
