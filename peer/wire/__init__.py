"""The wire format: frames, envelopes, the schemas of their fields, and rate limits."""
