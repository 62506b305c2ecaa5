"""The update functions: each applies messages to the model and returns the commands that follow."""
