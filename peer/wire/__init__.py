"""The form of everything that devices say to each other, and how much of it is heard."""
