"""`gradir run`: call a function of a program."""

from __future__ import annotations

import argparse
import ast
import io
import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gradir.cli.parser import add_compiler, add_input, only
from gradir.cli.source import Inputs
from gradir.cli.terminal import UsageError, progress
from gradir.errors import InputError, OutputError

if TYPE_CHECKING:
    from gradir.tensor.ir.signature import TensorSpec

__all__ = ["add_commands"]

EXAMPLES = """
gradir run f.mlir --input x.npy '[1, 2]' 3.0         a file, an array, a number
gradir run f.mlir --fn f --input all.npz --backend iree
gradir run kernel.c --fn energy --input x.npy 4 2.0  native code, too
"""


def add_commands(commands: Any) -> None:
    """Add the command to a parser's."""
    run = commands.add_parser(
        "run", help="execute a function", description="Execute a function of a program.", examples=EXAMPLES
    )
    add_input(run)
    add_compiler(run)
    run.add_argument("--fn", metavar="F", help="the function (may be left out if there is one, or a main)")
    run.add_argument(
        "--input",
        dest="values",
        metavar="X",
        action="extend",
        nargs="+",
        default=[],
        help="an argument: a .npy file, a .npz file (all its arrays), or a literal such as 1.0, [1,2] or [[1,2]]xf32",
    )
    only("mlir", run.add_argument("--backend", help="xla (default), iree or reference"))
    run.add_argument("--output-dir", metavar="DIR", help="save the results as DIR/result_0.npy and so on")
    run.set_defaults(command=_run)


def _run(arguments: argparse.Namespace) -> None:
    inputs: Inputs = arguments.inputs
    results = (_native_results if inputs.is_native(arguments) else _results)(arguments)
    for i, (what, result) in enumerate(results):
        if arguments.output_dir:
            path = Path(arguments.output_dir) / f"result_{i}.npy"
            _save_array(path, result)
            print(f"result {i}: {what} in {path}")
        else:
            import numpy as np

            print(f"result {i}: {what}")
            print(np.array2string(np.asarray(result), separator=", "))


def _results(arguments: argparse.Namespace) -> list[tuple[str, Any]]:
    """What a function of a StableHLO program gives, each with its type."""
    module = arguments.inputs.module()
    signature = module.function(arguments.fn)
    values = [value for text in arguments.values for value in _values(text)]
    given = [_fit(x, spec) for x, spec in zip(values, signature.arguments, strict=False)] + values[
        len(signature.arguments) :
    ]
    with progress("compiling"):
        executable = module.compile(arguments.fn, backend=arguments.backend or "xla")
    with progress("running"):
        results = executable(*given)
    results = results if isinstance(results, tuple) else (results,)
    return [(str(spec), result) for result, spec in zip(results, signature.results, strict=True)]


def _native_results(arguments: argparse.Namespace) -> list[tuple[str, Any]]:
    """What a native function returns, and the arrays that it writes floats into."""
    import numpy as np

    function = arguments.inputs.native(arguments.flags).function(arguments.fn)
    values = [np.array(v) if isinstance(v, list) else v for text in arguments.values for v in _values(text)]
    with progress("running"):
        returned = function(*values)
    results = [] if returned is None else [("what it returns", returned)]
    names = [a.name for a in function.arguments]
    return results + [(name, values[names.index(name)]) for name in function.outputs]


def _values(text: str) -> list[Any]:
    """What one `--input` stands for: the arrays of a file, or a literal."""
    import numpy as np

    if Path(text).suffix in (".npy", ".npz"):
        try:
            loaded = np.load(text, allow_pickle=False)
        except OSError as error:
            raise InputError(f"can't read it: {error.strerror or error}", location=text) from None
        except ValueError as error:
            raise InputError(f"not a NumPy file: {error}", location=text) from None
        return [loaded] if isinstance(loaded, np.ndarray) else list(loaded.values())
    literal, dtype = _split_dtype(text)
    value = _literal(literal, text)
    if dtype is None:
        return [value]
    try:
        return [np.asarray(value).astype(dtype)]
    except (TypeError, ValueError, OverflowError) as error:
        raise UsageError(f"--input {text}: {error}", word=text) from None


def _split_dtype(text: str) -> tuple[str, Any]:
    """`[1, 2]xf32` is a literal and an MLIR element type."""
    from gradir.tensor.ir.signature import element_dtype

    match = re.fullmatch(r"(.*[\d\]a-z)])\s*x\s*([a-z]+\d\w*(?:<f\d+>)?|complex<f\d+>)", text.strip(), re.DOTALL)
    if match is None:
        return text, None
    dtype = element_dtype(match[2])
    if dtype is None:
        raise UsageError(
            f"--input {text}: there is no element type '{match[2]}'", word=text, hint="use f32, bf16, i64, i1, ..."
        )
    return match[1], dtype


def _literal(literal: str, text: str) -> Any:
    for read in (json.loads, ast.literal_eval):  # NaN and true are JSON's, 1+2j is Python's
        try:
            value = read(literal)
        except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
            continue
        if isinstance(value, (bool, int, float, complex, list, tuple)):
            return value
    raise UsageError(
        f"--input {text}: neither a .npy or .npz file nor a literal",
        word=text,
        hint="literals look like 1.0, [1, 2] or [[1, 2]]xf32",
    )


def _fit(value: Any, spec: TensorSpec) -> Any:
    """NumPy files keep types that NumPy doesn't know, such as bf16, as bare bytes."""
    dtype = getattr(value, "dtype", None)
    if dtype is not None and dtype.kind == "V" and spec.dtype is not None and dtype.itemsize == spec.dtype.itemsize:
        return value.view(spec.dtype)
    return value


def _save_array(path: Path, array: Any) -> None:
    import numpy as np

    from gradir.files import write_file

    content = io.BytesIO()
    np.save(content, np.asarray(array))
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(f"can't make the folder: {error.strerror or error}", location=str(path.parent)) from None
    write_file(path, content.getvalue())
