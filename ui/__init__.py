"""The page: model, update, view, and the patch that shows the view in the browser."""
