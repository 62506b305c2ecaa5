"""One log for all devices: Raft, and how a device catches up."""
