"""Every error a user can see. Each says what is wrong, where, and how to go on; `nearest` is a hint for many."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

__all__ = [
    "BackendError",
    "GradirError",
    "InputError",
    "InternalError",
    "LostProcess",
    "MissingExtra",
    "NativeException",
    "NeedsShadow",
    "NoRule",
    "OneDirection",
    "OutputError",
    "RequestError",
    "UnknownFunction",
    "UnknownTarget",
    "nearest",
]


class GradirError(Exception):
    """The base of all gradir errors.

    `message` says what is wrong, `location` where in the source (as text, e.g. ``f.mlir:3:8``), and
    `hint` a way out.

    >>> print(GradirError("no function @g", location="f.mlir:3:8", hint="the module holds: @f"))
    f.mlir:3:8: no function @g
      way out: the module holds: @f
    """

    def __init__(self, message: str, *, location: str | None = None, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.location = location
        self.hint = hint

    def __str__(self) -> str:
        where = f"{self.location}: " if self.location else ""
        out = f"\n  way out: {self.hint}" if self.hint else ""
        return f"{where}{self.message}{out}"


class InputError(GradirError):
    """A program or a value that can't be read: malformed MLIR, an unknown function, a shape that doesn't fit."""


class UnknownFunction(InputError):
    """A function that was asked for by a name that the program doesn't have, or by none where it has several."""


class UnknownTarget(InputError):
    """A machine or a CPU that code is asked for, and that LLVM doesn't know."""


class RequestError(GradirError):
    """A derivative asked for in a way that doesn't fit the function: wrong counts, types or activities."""


class NeedsShadow(RequestError):
    """A pointer that is asked to be constant, though it must have a shadow: `argument` is its number."""

    def __init__(self, message: str, argument: int, *, location: str | None = None, hint: str | None = None) -> None:
        super().__init__(message, location=location, hint=hint)
        self.argument = argument


class OneDirection(RequestError):
    """A derivative in several directions at once, of a function that has one in one direction only."""


class NoRule(GradirError):
    """An op on an active path that can't be differentiated (or batched)."""


class InternalError(GradirError):
    """A mistake of gradir's own, found before it could give a wrong number."""

    def __init__(self, message: str, *, location: str | None = None) -> None:
        super().__init__(
            message, location=location, hint="this is a mistake of gradir: please report it, with the program"
        )


class OutputError(GradirError):
    """A result that can't be written. What was there before is untouched."""


class LostProcess(GradirError):
    """A process that died, failed, fell silent or never came, by which those that work with it can't go on."""


class BackendError(GradirError):
    """A back end that refused to compile or run a program."""


class NativeException(GradirError):
    """An exception that left native code: `type` is its C++ type, `what` its text, each None if it can't be told.

    >>> print(NativeException("std::domain_error", "negative"))
    the native code threw std::domain_error: negative
    """

    def __init__(self, type: str | None, what: str | None) -> None:
        thrown = type or "an exception that is not of C++"
        super().__init__(f"the native code threw {thrown}" + (f": {what}" if what else ""))
        self.type = type
        self.what = what


class MissingExtra(GradirError):
    """A part of gradir that needs a package which is not installed."""

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(f"{what} is not installed", hint=f"pip install 'gradir[{extra}]'")
        self.extra = extra


def nearest(
    word: str, known: Iterable[str], otherwise: str | None = None, *, form: str = "{}", cutoff: float = 0.6
) -> str | None:
    """A hint: a question, where a word is spelt almost like one that is known. `form` is how that is shown.

    >>> nearest("sine", ["cosine", "sin", "tan"])
    'did you mean sin?'
    >>> nearest("grid", ["grad", "help"], form=":{}")
    'did you mean :grad?'
    >>> nearest("f", ["loss", "model"], "it has loss and model")
    'it has loss and model'
    """
    near = get_close_matches(word, list(known), 1, cutoff)
    return f"did you mean {form.format(near[0])}?" if near else otherwise
