"""In place of the library's own: a page has no processes."""

__all__ = ()
