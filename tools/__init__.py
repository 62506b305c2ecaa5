"""How the project is set up, built, served and checked: `python -m tools`, standard library first."""
