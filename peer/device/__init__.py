"""One device at the table: it follows the log, does its duties and checks the others."""
