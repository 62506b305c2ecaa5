"""What each message changes in the model, and which commands follow."""
