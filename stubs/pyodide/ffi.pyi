from collections.abc import Callable, Iterable
from typing import Any

class JsProxy:
    def __getattr__(self, name: str) -> Any: ...
    def to_py(self, *, depth: int = -1) -> Any: ...

class JsException(Exception):
    def __getattr__(self, name: str) -> Any: ...

def create_proxy(obj: Any, *, capture_this: bool = False, roundtrip: bool = True) -> Any: ...
def create_once_callable(obj: Callable[..., Any]) -> Any: ...
def to_js(
    obj: Any,
    *,
    depth: int = -1,
    pyproxies: Any = None,
    create_pyproxies: bool = True,
    dict_converter: Callable[[Iterable[Any]], Any] | None = None,
    default_converter: Callable[..., Any] | None = None,
) -> Any: ...
