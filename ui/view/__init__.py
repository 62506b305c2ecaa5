"""Views of everything on the page except the boards: lobby, top bar, log, dialogs, result, errors."""
