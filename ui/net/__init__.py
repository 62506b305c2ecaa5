"""Playing by link: one signed, replicated log, and the game on top of it. No socket, no clock, no browser in here.

From the bottom up: `curve`, `keys` (who signs), `box` (what only some may read), `frames` and `envelope` (what
travels), `log` and `raft` (which order), `coin` and `split` (joint chance), `play` and `state` (what the log says),
`hands` and `dealing` (what is hidden), `duties`, `device` (all of it), `border` (where frames come in).
A driver feeds a `Device` with frames and time, and carries out what it puts out, strictly in that order.
"""
