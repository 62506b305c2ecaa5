"""In place of the library's own: the page's loop is the browser's. A loop over sockets is never run here."""

__all__ = ()
