"""What the page uses of Pyodide's own package; it exists only in the browser."""
