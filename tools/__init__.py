"""The tools that set up, build, serve and check the project: `python -m tools`. Modules of other packages are imported
only after they are installed."""
