"""The parts of Python's standard library that are shipped to the browser, and the time at which each is loaded.

DROPPED: modules that a page cannot use (processes, servers, sockets, terminals) or does not need (tests, debuggers,
pickle), and PyScript modules that nothing here imports. The other PyScript modules are shipped in the library.
LATER: modules that only third-party packages need. They are a package of their own, which is loaded with micropip.
Modules that cost more than they are worth here are replaced by small ones of ours (tools/instead).

Tests in Chromium import every module that our code names, and install a wheel, so that a wrong line here is found.
"""

DROPPED = frozenset(
    """
    __hello__ __phello__ antigravity this
    _pyrepl bdb cProfile cmd doctest modulefinder pdb profile pstats pyclbr pydoc pydoc_data rlcompleter
    symtable tabnanny timeit trace tracemalloc unittest
    compileall idlelib lib2to3 py_compile zipapp zipimport
    _pyio _pydatetime _py_abc nturl2path
    _compat_pickle pickle pickletools shelve
    ctypes curses dbm multiprocessing pty sqlite3 tkinter tty turtle turtledemo
    ftplib imaplib mailbox netrc poplib smtplib socketserver webbrowser wsgiref xmlrpc
    colorsys configparser fileinput filecmp getpass graphlib optparse plistlib sched wave xml/dom xml/etree xml/parsers
    sre_compile sre_constants sre_parse
    asyncio/__main__ asyncio/base_subprocess asyncio/proactor_events asyncio/selector_events asyncio/sslproto
    asyncio/staggered asyncio/tools asyncio/trsock asyncio/windows_events asyncio/windows_utils
    concurrent/interpreters concurrent/futures/interpreter concurrent/futures/process
    json/__main__ json/tool logging/config logging/handlers pyodide/_nodesock_transport pyodide/console
    urllib/robotparser zipfile/__main__
    pyscript/fs pyscript/media pyscript/web
    """.split()
)

# Whole packages only: Python does not search a package in a second place once it has found it
DEFERRED = frozenset(
    """
    _ast_unparse _pylong _ssl _strptime _sysconfigdata__emscripten_wasm32-emscripten _threading_local argparse
    calendar code csv datetime decimal difflib email fractions getopt gzip http mimetypes numbers pkgutil platform
    pprint queue quopri runpy shlex ssl statistics stringprep sysconfig tarfile tomllib uuid xml zoneinfo
    """.split()
)

CODECS = frozenset(
    """
    __init__ aliases ascii base64_codec charmap cp1252 cp437 idna latin_1 punycode raw_unicode_escape
    unicode_escape utf_16 utf_16_be utf_16_le utf_32 utf_32_be utf_32_le utf_8 utf_8_sig
    """.split()
)


def is_shipped(name: str) -> bool:
    """Returns True if this member of python_stdlib.zip is shipped at all."""
    parts = name.removesuffix(".py").split("/")
    if parts[0] == "encodings":
        return parts[-1] in CODECS
    return not any("/".join(parts[:depth]) in DROPPED for depth in range(1, len(parts) + 1))


def is_deferred(name: str) -> bool:
    """Returns True if this member is loaded only with the first third-party package."""
    return name.partition("/")[0].removesuffix(".py") in DEFERRED
