"""What PyScript adds beside `js`; it exists only in the browser."""

from typing import Any

def __getattr__(name: str) -> Any: ...
