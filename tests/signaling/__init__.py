"""The signaling endpoint: the hub alone, the server over real WebSockets, several nodes over a real Redis."""
