"""The signaling endpoint: it introduces devices to each other, and relays sealed frames if they cannot connect.

It knows rooms, slots and which devices are present. It knows nothing of games, names or cards: the devices seal them.
A slot is a device's place in a room; frames and metrics call it a seat.
"""
