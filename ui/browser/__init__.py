"""Everything that touches the browser: the page, motion, sound, storage, and the runner of commands."""
