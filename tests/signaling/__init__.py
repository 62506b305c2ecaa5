"""Tests of the signaling endpoint: the hub alone, the server with real WebSockets, several nodes with a real Redis."""
