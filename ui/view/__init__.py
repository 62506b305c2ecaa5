"""Everything around the table: lobby, top bar, log, dialogs, result, errors."""
