"""A stand-in for the standard library's module: a page has no processes. asyncio imports it, but nothing uses it."""

import errno
from typing import NoReturn

PIPE, STDOUT, DEVNULL = -1, -2, -3


class SubprocessError(Exception):
    pass


class CalledProcessError(SubprocessError):
    pass


class TimeoutExpired(SubprocessError):
    pass


def Popen(*args: object, **named: object) -> NoReturn:  # noqa: N802  (the library's name)
    raise OSError(errno.ENOSYS, "no processes here")


run = call = check_call = check_output = getoutput = getstatusoutput = Popen
