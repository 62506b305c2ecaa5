"""Which part of Python's standard library travels to the browser.

Dropped is what a page cannot use (processes, servers, terminals) or has no business with (tests, debuggers,
pickle). A test in Chromium imports every module that engine/ and ui/ name, so a wrong line here is found.
"""

DROPPED = frozenset(
    """
    __hello__ __phello__ antigravity this
    _pyrepl bdb cProfile cmd doctest modulefinder pdb profile pstats pyclbr pydoc pydoc_data rlcompleter
    symtable tabnanny timeit trace unittest
    compileall idlelib lib2to3 py_compile zipapp zipimport
    _pyio _pydatetime _py_abc nturl2path
    _compat_pickle pickle pickletools shelve
    ctypes curses dbm multiprocessing pty sqlite3 tkinter tty turtle turtledemo
    ftplib imaplib mailbox netrc poplib smtplib socketserver webbrowser wsgiref xmlrpc
    colorsys configparser fileinput filecmp getpass graphlib optparse plistlib sched wave xml
    sre_compile sre_constants sre_parse
    """.split()
)

CODECS = frozenset(
    """
    __init__ aliases ascii base64_codec charmap cp1252 cp437 idna latin_1 punycode raw_unicode_escape
    unicode_escape utf_16 utf_16_be utf_16_le utf_32 utf_32_be utf_32_le utf_8 utf_8_sig
    """.split()
)


def kept(name: str) -> bool:
    """Does this member of python_stdlib.zip stay?"""
    top, _, rest = name.partition("/")
    if top == "encodings":
        return rest.removesuffix(".py") in CODECS
    return top.removesuffix(".py") not in DROPPED
