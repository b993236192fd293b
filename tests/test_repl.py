"""`gradir repl`: through a pipe, at a terminal, and its parts."""

from __future__ import annotations

import gc
import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

from gradir.repl import Repl, is_open, shapes_of

SESSION = """\
(defn f [x y]
  (+ (* x y)
     x))
(f 2 3)
:grad f
(oops 1)
(zeros [2 3])
:quit
(f 100 100)
"""


def entered(*entries: str) -> tuple[str, str]:
    """What a session says, on both streams."""
    out, err = io.StringIO(), io.StringIO()
    lines = iter(entries)

    def line(_prompt: str) -> str:
        try:
            return next(lines)
        except StopIteration:
            raise EOFError from None

    Repl(out, err).run(line)
    return out.getvalue(), err.getvalue()


def test_through_a_pipe() -> None:
    command = [sys.executable, "-m", "gradir", "repl"]
    done = subprocess.run(command, input=SESSION, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0
    assert done.stdout.splitlines() == [
        "<the function f>",
        "8",
        "x: (+ y 1)",
        "y: x",
        "[[0.0 0.0 0.0] [0.0 0.0 0.0]]  ; f32[2x3]",
    ]
    assert "there is no name 'oops'" in done.stderr and "^^^^" in done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")
def test_at_a_terminal(tmp_path: Path) -> None:
    import pty

    ours, theirs = pty.openpty()
    environment = {**os.environ, "XDG_STATE_HOME": str(tmp_path), "TERM": "dumb"}
    repl = subprocess.Popen(
        [sys.executable, "-m", "gradir", "repl"], stdin=theirs, stdout=theirs, stderr=theirs, env=environment
    )
    os.close(theirs)
    os.write(ours, b"(+ 1\n2)\n(arang\t 3)\n:quit\n")
    said = b""
    while True:
        try:
            part = os.read(ours, 4096)
        except OSError:  # the other end is closed
            break
        if not part:
            break
        said += part
    assert repl.wait(timeout=60) == 0
    os.close(ours)
    text = said.decode()
    assert "gradir> " in text and "\n3\r" in text
    assert "[0 1 2]  ; i32[3]" in text, "tab completes arange"
    assert "(arange" in (tmp_path / "gradir" / "history").read_text()


def test_commands() -> None:
    out, err = entered(
        "(defn g [w] (sum (square w)))", ":grad g [1 2 3]", ":formula g [1 2 3]", ":python g [1 2]", ":mlir g [1 2]",
        ":time g [1 2 3]", ":help",
    )  # fmt: skip
    assert not err
    assert "(* 2 w)" in out and "\n2 * w\n" in out and "return 2 * w" in out and "func.func @g" in out
    assert "a call (best of" in out and ":quit" in out


@pytest.mark.parametrize(
    ("entry", "says"),
    [
        (":grd g", "did you mean :grad?"),
        (":grad", "of which function?"),
        (":grad zeros", "see defn and fn"),
        (":grad nothing", "there is no name 'nothing'"),
        (":load missing.shf", "can't read missing.shf"),
        ("(+ 1 2", "this '(' is never closed"),
        ("(+ 1 2))", "')'"),
        ("(@ [1 2] [1 2 3])", "f32[3]"),
        ("(defn h [x] (h x)) (h 1)", "calls itself too often"),
    ],
)
def test_errors_do_not_end_it(entry: str, says: str) -> None:
    gc.collect()  # what other tests have left is let go of here, and not where the stack is full
    out, err = entered(entry)
    assert says in err and not out
    out, err = entered(":nothing", "(+ 1 2)")
    assert out == "3\n"


def test_what_is_open() -> None:
    assert is_open("(+ 1") and is_open('"abc') and is_open("[1 (")
    assert not is_open("(+ 1 2)") and not is_open("1)") and not is_open("")


def test_shapes() -> None:
    import numpy as np

    x = np.zeros((2, 3), np.float32)
    assert shapes_of({"a": x, "b": 3}) == "{:a f32[2x3]}"
    assert shapes_of((1, x)) == "[_ f32[2x3]]" and shapes_of((1, 2)) == ""


def test_completion() -> None:
    repl = Repl(io.StringIO())
    repl.handle("(defn my-function [x] x)")
    assert repl.complete("my-f", 0) == "my-function" and repl.complete("my-f", 1) is None
    assert repl.complete(":gr", 0) == ":grad"
