"""The signaling endpoint: it introduces devices to each other, and relays sealed frames when they cannot meet.

It knows rooms, places and who is here. It knows nothing of games, names or hands: those are sealed between the devices.
"""
