"""One log for all devices: Raft, and catching up with it."""
