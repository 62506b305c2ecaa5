"""The page: model, update, view, patch."""
