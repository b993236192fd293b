"""`gradir repl`: Sheaf, line by line, with derivatives and programs to look at."""

from __future__ import annotations

import argparse
import os
import shlex
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, TextIO

import jax

import gradir.jax
from gradir.errors import GradirError, InputError, nearest
from gradir.frontends.sheaf import Program, SheafError
from gradir.frontends.sheaf.evaluator import CONSTANTS, SPECIAL
from gradir.frontends.sheaf.functions import BUILTINS, Closure
from gradir.frontends.sheaf.program import read_source
from gradir.frontends.sheaf.reader import Incomplete, read
from gradir.frontends.sheaf.source import Source
from gradir.frontends.sheaf.values import Value, is_tensor, shape_name, show
from gradir.show import NOTATIONS, view_of_closure

__all__ = ["Repl", "run"]

PROMPT, MORE = "gradir> ", "      > "
HELP = """\
A form is evaluated when its parentheses are closed; tensors are shown with their shapes.

  :grad f         the derivative of f by each argument; numbers are taken for arguments
  :grad f x W     the same for arguments like x and W, which are any forms; so below
  :formula f      the derivative as a formula; :python f as NumPy source
  :mlir f         f itself as StableHLO
  :time f x       how long a call takes
  :load FILE      evaluate a file
  :help  :quit    also Ctrl-D; Ctrl-C drops what is being typed"""


class Repl:
    """A session: a program that grows, and commands that look at it."""

    def __init__(self, out: TextIO | None = None, err: TextIO | None = None) -> None:
        self.program = Program()
        self.out, self.err = out or sys.stdout, err or sys.stderr
        self.commands: dict[str, Callable[[str], None]] = {
            "grad": lambda rest: self._derivatives("sexpr", rest),
            "formula": lambda rest: self._derivatives("formula", rest),
            "python": lambda rest: self._derivatives("python", rest),
            "mlir": self._mlir,
            "time": self._time,
            "load": self._load,
            "help": lambda _: self._say(HELP),
        }

    def run(self, lines: Callable[[str], str]) -> None:
        """Read and evaluate until `lines`, which is asked with a prompt, has no more."""
        while True:
            try:
                text = self._entry(lines)
            except EOFError:
                return
            except KeyboardInterrupt:
                self._say("")
                continue
            if text.strip() in (":quit", ":q", ":exit"):
                return
            self.handle(text)

    def _entry(self, lines: Callable[[str], str]) -> str:
        """One line, and more as long as something is open."""
        text = lines(PROMPT)
        while not text.lstrip().startswith(":") and is_open(text):
            try:
                text += "\n" + lines(MORE)
            except EOFError:
                break  # evaluated as it is, which says what is open
        return text

    def handle(self, text: str) -> None:
        """Evaluate an entry, or do what a command says. Errors are said, and that is all."""
        try:
            if text.strip().startswith(":"):
                self._command(text.strip())
            elif text.strip():
                self._print(self.program.run(text, "<repl>"))
        except GradirError as error:
            print(error, file=self.err, flush=True)
        except KeyboardInterrupt:
            print("interrupted", file=self.err, flush=True)
        except RecursionError:
            print("this goes too deep", file=self.err, flush=True)
        except Exception as error:
            if os.environ.get("GRADIR_DEBUG"):
                raise
            print(f"a bug in gradir: {type(error).__name__}: {error}", file=self.err, flush=True)

    # -- Commands

    def _command(self, text: str) -> None:
        name, _, rest = text[1:].partition(" ")
        command = self.commands.get(name)
        if command is None:
            hint = nearest(name, self.commands, "see :help", form=":{}", cutoff=0.5)
            raise InputError(f"there is no command :{name}", hint=hint)
        command(rest.strip())

    def _called(self, text: str) -> tuple[Closure, list[Value]]:
        """A function, and values for its arguments."""
        forms = read(Source("<repl>", text))
        if not forms:
            raise InputError("of which function?", hint="as in :grad f")
        function, *given = [self.program.evaluator.run_form(form) for form in forms]
        if not isinstance(function, Closure):
            raise SheafError("a function of the program is wanted here", forms[0].place, hint="see defn and fn")
        return function, given

    def _derivatives(self, notation: str, text: str) -> None:
        function, given = self._called(text)
        names = [str(p) for p in function.parameters]
        shown = [view_of_closure(function, given, [name]).text(notation) for name in names]
        for name, derivative in zip(names, shown, strict=True):
            self._say(derivative if len(names) == 1 or notation == "python" else f"{name}: {derivative}")

    def _mlir(self, text: str) -> None:
        function, given = self._called(text)
        self._say(NOTATIONS["mlir"](view_of_closure(function, given, [])).rstrip())

    def _time(self, text: str) -> None:
        function, given = self._called(text)
        seconds, calls = measured(lambda: jax.block_until_ready(function(*given)))
        self._say(f"{_duration(seconds)} a call (best of {calls})")

    def _load(self, text: str) -> None:
        for name in shlex.split(text):
            source = read_source(Path(name))
            self.program.run(source.text, name)

    # -- Out

    def _say(self, text: str) -> None:
        print(text, file=self.out, flush=True)

    def _print(self, value: Value) -> None:
        if value is not None:
            text, shapes = show(value), shapes_of(value)
            self._say(f"{text}  ; {shapes}" if shapes and shapes not in text else text)

    # -- Completion

    def names(self) -> Iterator[str]:
        """Everything that has a name."""
        evaluator = self.program.evaluator
        yield from (n for n in {*evaluator.globals, *evaluator.macros, *BUILTINS, *SPECIAL, *CONSTANTS} if n)
        yield from (f":{command}" for command in (*self.commands, "quit"))

    def complete(self, text: str, state: int) -> str | None:
        """The names that begin like this, one at a time, as readline asks for them."""
        found = sorted(n for n in self.names() if text and n.startswith(text))
        return found[state] if state < len(found) else None


def is_open(text: str) -> bool:
    """Whether more must follow: a parenthesis or a string is not closed."""
    try:
        read(Source("<repl>", text))
    except Incomplete:
        return True
    except SheafError:
        return False
    return False


def shapes_of(value: Value) -> str:
    """The shapes of the tensors in a value, in the form of the value; nothing, if there are none."""
    if is_tensor(value):
        return shape_name(value)
    if isinstance(value, dict):
        parts = {k: s for k, v in value.items() if (s := shapes_of(v))}
        return "{" + " ".join(f":{k} {s}" for k, s in parts.items()) + "}" if parts else ""
    if isinstance(value, (tuple, list)):
        shapes = [shapes_of(v) or "_" for v in value]
        return f"[{' '.join(shapes)}]" if set(shapes) - {"_"} else ""
    return ""


def measured(call: Callable[[], object], least: float = 0.2) -> tuple[float, int]:
    """The seconds of the fastest call, and how many there were; the first one, which compiles, does not count."""
    call()
    best, calls, start = float("inf"), 0, time.perf_counter()
    while calls < 3 or time.perf_counter() - start < least:
        before = time.perf_counter()
        call()
        best = min(best, time.perf_counter() - before)
        calls += 1
    return best, calls


def _duration(seconds: float) -> str:
    for unit, name in ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs")):
        if seconds >= unit:
            return f"{seconds / unit:.3g} {name}"
    return f"{seconds / 1e-9:.3g} ns"


# -- At a terminal -----------------------------------------------------------------------------------------------------


def run(arguments: argparse.Namespace) -> None:
    """The command."""
    repl = Repl()
    if arguments.source:
        source = read_source(Path(arguments.source))
        repl.program.run(source.text, arguments.source)
    if not sys.stdin.isatty():
        repl.run(lambda _prompt: _line())
        return
    print(f"gradir {gradir.__version__}: Sheaf. :help for help, :quit or Ctrl-D to leave")
    save = _editing(repl)
    try:
        repl.run(input)
        print()
    finally:
        save()


def _line() -> str:
    line = sys.stdin.readline()
    if not line:
        raise EOFError
    return line.rstrip("\n")


def _editing(repl: Repl) -> Callable[[], None]:
    """Let lines be edited, completed and found again, where Python can do that; gives what saves the history."""
    try:
        import readline
    except ImportError:  # Windows
        return lambda: None
    readline.set_completer(repl.complete)
    readline.set_completer_delims(" \t\n()[]{}'`~\"")
    readline.parse_and_bind("bind ^I rl_complete" if "libedit" in (readline.__doc__ or "") else "tab: complete")
    path = history_path()
    with suppress(OSError):  # there is none yet
        readline.read_history_file(path)

    def save() -> None:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            readline.set_history_length(1000)
            readline.write_history_file(path)
        except OSError as error:
            print(f"the history can't be kept: {error}", file=sys.stderr)

    return save


def history_path() -> Path:
    state: Any = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(state) / "gradir" / "history"
