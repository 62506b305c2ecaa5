"""Playing by link: one signed, replicated log, and the game on top of it. `docs/by-link.md` explains the parts.

Only `peer/browser` uses sockets, a real clock or a browser. A driver passes frames and the time to a `Device`, and
carries out its outputs strictly in order.
"""
