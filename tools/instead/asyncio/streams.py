"""In place of the library's own: a page has no sockets to read from."""

__all__ = ()
