"""`gradir`: lower, differentiate and run StableHLO programs from the command line.

Results go to stdout or to files, messages to stderr. Exit codes: 0 done, 2 something is wrong with what was asked or
given, 70 something is wrong with gradir, 130 interrupted.
"""

from __future__ import annotations

import argparse
import ast
import io
import json
import os
import re
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gradir import __version__, show_command, train_command
from gradir.errors import GradirError, InputError, OutputError

if TYPE_CHECKING:
    from gradir.module import Module
    from gradir.tensor.ir.signature import TensorSpec

__all__ = ["main"]

EXIT_BAD_INPUT, EXIT_BUG, EXIT_INTERRUPTED = 2, 70, 130


SPLIT = "\n// -----\n"
"""What stands between the modules of one text, by MLIR's custom."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and give its exit code."""
    # XLA's start-up messages are for XLA's authors.
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
    arguments = _parser().parse_args(argv)
    try:
        arguments.command(arguments)
        sys.stdout.flush()
    except GradirError as error:
        _complain(str(error))
        return EXIT_BAD_INPUT
    except BrokenPipeError:  # the reader of our output has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    except Exception as error:
        if os.environ.get("GRADIR_DEBUG"):
            raise
        _complain(
            f"a bug in gradir: {type(error).__name__}: {error}\n  way out: please report it; GRADIR_DEBUG=1 shows where"
        )
        return EXIT_BUG
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="gradir", description="Differentiate StableHLO and native programs.")
    parser.add_argument("--version", action="version", version=f"gradir {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    opt = commands.add_parser("opt", help="lower every enzyme op of an MLIR module, every __enzyme call of LLVM IR")
    _add_input(opt)
    _add_output(opt)
    opt.add_argument(
        "--split-input-file", action="store_true", help="IN is text that holds several modules, between lines // -----"
    )
    opt.add_argument("--no-optimise", action="store_true", help="differentiate the code as it stands")
    opt.add_argument(
        "--print-analysis",
        type=_names,
        metavar="A,B",
        help="LLVM: instead, say what is known: types, dominators, loops, alias, activity, cache",
    )
    opt.add_argument("--fn", metavar="F", help="--print-analysis: of this function only")
    opt.add_argument(
        "--passes", type=_names, metavar="A,B", help="MLIR: then rewrite by these families and rules, or all"
    )
    opt.add_argument("--explain", action="store_true", help="MLIR: say which rewrites fired, and what they saved")
    _add_numerics(opt)
    opt.add_argument(
        "--fast-math", dest="numerics", action="store_const", const="fast", help="the same as --numerics=fast"
    )
    opt.add_argument("--list-rules", action=_ListRules, nargs=0, help="print all rewrites by family, and stop")
    _add_verify(opt)
    opt.set_defaults(command=_opt)

    diff = commands.add_parser("diff", help="add the derivative of a function to a module")
    _add_input(diff)
    _add_function(diff)
    diff.add_argument(
        "--mode", choices=["reverse", "forward"], default="reverse", help="reverse: vjp_F, forward: jvp_F"
    )
    diff.add_argument("--value-and-grad", action="store_true", help="of a scalar function: value_and_grad_F instead")
    diff.add_argument(
        "--wrt", type=_arguments, metavar="0,2", help="arguments to differentiate by (0); in native code also by name"
    )
    diff.add_argument("--name", help="what to call the derivative")
    diff.add_argument("--flag", action="append", default=[], metavar="-DN=3", help="a flag for the compiler of IN")
    _add_numerics(diff)
    diff.add_argument(
        "--checkpoints",
        metavar="POLICY",
        help="what reverse mode keeps of loops: auto, none, full, sqrt, revolve:64 (or 64), budget:64MiB, ...",
    )
    diff.add_argument(
        "--report", action="store_true", help="MLIR: say what the derivative takes, and would with other --checkpoints"
    )
    _add_output(diff)
    _add_verify(diff)
    diff.set_defaults(command=_diff)

    run = commands.add_parser("run", help="execute a function")
    _add_input(run)
    _add_function(run)
    run.add_argument(
        "--input",
        dest="inputs",
        metavar="X",
        action="extend",
        nargs="+",
        default=[],
        help="an argument: a .npy file, a .npz file (all its arrays), or a literal such as 1.0, [1,2] or [[1,2]]xf32",
    )
    run.add_argument("--backend", default="xla", help="xla (default), iree or reference")
    run.add_argument("--output-dir", metavar="DIR", help="save the results as DIR/result_0.npy and so on")
    run.set_defaults(command=_run)

    train_command.add_commands(commands)
    show_command.add_commands(commands)

    doctor = commands.add_parser("doctor", help="say what is installed, and what the rest would add")
    doctor.set_defaults(command=_doctor)
    return parser


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


def _add_input(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "source",
        metavar="IN",
        help="a module: MLIR text, bytecode or portable artifact; - is stdin; or LLVM IR, C, C++, Fortran, Rust",
    )


def _add_function(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--fn", metavar="F", help="the function (may be left out if there is one, or a main)")


def _add_verify(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--verify", action="store_true", help="LLVM: check what is written, and let it check itself when it runs"
    )


def _add_numerics(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--numerics",
        choices=["exact", "default", "fast"],
        help="MLIR: how far rewrites may move numbers: not a bit, rounding (default), or all that holds if finite",
    )


def _add_output(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("-o", "--output", metavar="OUT", default="-", help="where to write; - is stdout (default)")
    parser.add_argument(
        "--emit", choices=["text", "bytecode", "portable"], help="the format, if OUT's suffix doesn't say"
    )
    parser.add_argument("--version", metavar="V", help="portable: the oldest StableHLO that shall read it, as 1.2.3")


def _arguments(text: str) -> tuple[int | str, ...]:
    parts = [part.strip() for part in text.split(",")]
    if not all(re.fullmatch(r"-?\d+|[^\W\d]\w*", part) for part in parts):
        raise argparse.ArgumentTypeError(f"{text!r} is not a list of arguments such as 0,2 or x,y")
    return tuple(int(part) if part.lstrip("-").isdigit() else part for part in parts)


def _indices(which: tuple[int | str, ...] | None) -> tuple[int, ...]:
    indices = tuple(i for i in which or (0,) if isinstance(i, int))
    if which and len(indices) != len(which):
        raise InputError(f"--wrt {','.join(map(str, which))}: the arguments of an MLIR function have no names")
    return indices


# -- Commands --------------------------------------------------------------------------------------------------------


def _opt(arguments: argparse.Namespace) -> None:
    if arguments.fn and not arguments.print_analysis:
        raise InputError("--fn is for --print-analysis", hint="gradir diff --fn F differentiates one function")
    if _is_for_llvm(arguments.source):
        (_print_analysis if arguments.print_analysis else _opt_llvm)(arguments)
        return
    if arguments.print_analysis:
        raise InputError("--print-analysis is for LLVM IR and what is compiled to it", location=arguments.source)
    if arguments.split_input_file:
        _opt_each(arguments)
        return
    from gradir.tensor.optimize.switch import optimizing

    module = _load(arguments.source)
    with _progress("lowering"), optimizing(not arguments.no_optimise, numerics=arguments.numerics):
        module = module.lower()
    if arguments.passes or arguments.explain or arguments.numerics:
        module = _rewritten(module, arguments)
    _write(module, arguments)


def _rewritten(module: Module, arguments: argparse.Namespace) -> Module:
    """The module after the rewrites that were asked for; what they did is for stderr."""
    from gradir.tensor.ir.module import operations
    from gradir.tensor.optimize import Fired, total

    log: list[Fired] = []
    passes = None if arguments.passes in (None, ["all"]) else arguments.passes
    with _progress("optimising"):
        made = module.optimize(passes, numerics=arguments.numerics, log=log)
    if arguments.explain:
        for fired in log:
            print(fired, file=sys.stderr)
        for name, held in (("before", module.ir), ("after", made.ir)):
            ops = [op for op in operations(held) if _is_outermost(op)]
            work = total(ops)
            print(f"{name}: {len(ops)} ops, {work.flops:.0f} flops, {work.bytes:.0f} bytes moved", file=sys.stderr)
    return made


def _is_outermost(op: Any) -> bool:
    """An op that stands in a function itself: the cost of a loop has that of its body in it."""
    return op.parent is not None and op.parent.operation.name == "func.func"


class _ListRules(argparse.Action):
    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> None:
        from gradir.tensor.optimize import FAMILIES, RULES

        for family in FAMILIES.values():
            mine = [r for r in RULES.values() if r.family == family.name]
            print(f"{family.name}: {family.about} ({len(mine)})")
            for r in mine:
                marks = r.effects.names() + ["by cost"] * r.gated
                print(f"  {r.name:28} {r.formula}" + (f"  [{', '.join(marks)}]" if marks else ""))
        parser.exit()


def _is_for_llvm(source: str) -> bool:
    """Told by the suffix, else by how the file begins."""
    from gradir.frontends import SUFFIXES

    path = Path(source)
    if path.suffix in SUFFIXES:
        return True
    if source == "-" or not path.is_file():
        return False
    with path.open("rb") as file:
        beginning = file.read(4096)
    return beginning.startswith(b"BC\xc0\xde") or _LLVM_TEXT.search(beginning) is not None


def _verifying(arguments: argparse.Namespace) -> AbstractContextManager[None]:
    from gradir.machine.transform.verify import verifying

    return verifying() if arguments.verify else nullcontext()


def _opt_llvm(arguments: argparse.Namespace) -> None:
    """Replace Enzyme's calls in a program of the machine level."""
    from gradir.machine import llvm
    from gradir.machine.enzyme import lower_text

    form = _llvm_form(arguments)
    module = _llvm_module(arguments.source)
    # Where no other compiler will see all of it.
    whole = form in ("object", "assembly") or _is_compiled_here(arguments.source)
    with _progress("lowering"), _verifying(arguments):
        text = lower_text(str(module), optimise=not arguments.no_optimise, whole=whole, name=arguments.source)
    match form:
        case "text":
            content = text.encode()
        case "bitcode":
            content = llvm.bitcode(llvm.parse(text, arguments.source))
        case "object":
            content = llvm.emit_object(llvm.parse(text, arguments.source))
        case _:
            content = llvm.emit_assembly(llvm.parse(text, arguments.source)).encode()
    _write_content(content, arguments.output)


def _print_analysis(arguments: argparse.Namespace) -> None:
    """Write what the analyses find, in place of a module."""
    from gradir.machine.jit.report import report_text

    names = [arguments.fn] if arguments.fn else []
    module = _llvm_module(arguments.source)
    with _progress("analysing"):
        reports = report_text(
            str(module), arguments.print_analysis, names, optimise=not arguments.no_optimise, location=arguments.source
        )
    _write_content(reports.encode(), arguments.output)


def _llvm_module(source: str) -> Any:
    from gradir.frontends import SUFFIXES, to_llvm
    from gradir.frontends.llvm import to_llvm as read

    with _progress(f"reading {source}"):
        return to_llvm(source) if Path(source).suffix in SUFFIXES else read(Path(source))


def _is_compiled_here(path: str) -> bool:
    from gradir.frontends import SUFFIXES

    return SUFFIXES.get(Path(path).suffix, "llvm") != "llvm"


def _llvm_form(arguments: argparse.Namespace) -> str:
    """What to write, before the work begins."""
    if arguments.split_input_file or arguments.version:
        raise InputError("--split-input-file and --version are for MLIR", location=arguments.source)
    suffix = Path(arguments.output).suffix
    form = arguments.emit or _LLVM_FORMS.get(suffix, "text")
    if form not in _LLVM_FORMS.values():
        raise OutputError(f"LLVM IR is not written as {form}", hint=f"write {', '.join(_LLVM_FORMS)}")
    if form in ("bitcode", "object") and arguments.output == "-" and sys.stdout.isatty():
        raise OutputError(f"{form} is no reading for a terminal", hint="name a file with -o")
    return form


_LLVM_TEXT = re.compile(
    rb"^(?:; ModuleID = |source_filename = |target (?:triple|datalayout) = |define |declare )", re.M
)
_LLVM_FORMS = {".ll": "text", ".bc": "bitcode", ".o": "object", ".s": "assembly"}


def _opt_each(arguments: argparse.Namespace) -> None:
    """Lower the modules of one text, each on its own; lines keep their numbers in locations."""
    from gradir.module import Module
    from gradir.tensor.ir.module import functions, parse

    if arguments.emit not in (None, "text") or Path(arguments.output).suffix not in ("", ".mlir"):
        raise OutputError("several modules are written as text", hint="name a .mlir file with -o")
    name = "<stdin>" if arguments.source == "-" else arguments.source
    lowered: list[str] = []
    lines_before = 0
    with _progress("lowering"):
        for part in _read_text(arguments.source).split(SPLIT):
            module = parse("\n" * lines_before + part, name)
            lines_before += part.count("\n") + SPLIT.count("\n")
            lowered.append(str(Module(module).lower() if functions(module) else Module(module)).strip())
    _write_content((SPLIT.join(f"{text}\n" for text in lowered)).encode(), arguments.output)


def _diff(arguments: argparse.Namespace) -> None:
    if _is_for_llvm(arguments.source):
        _diff_native(arguments)
        return
    wrt = _indices(arguments.wrt)
    from gradir.tensor.optimize.switch import optimizing

    module = _load(arguments.source)
    with _progress("differentiating"), optimizing(numerics=arguments.numerics), _checkpointing(arguments):
        if arguments.value_and_grad:
            if arguments.mode != "reverse":
                raise InputError("--value-and-grad is made in reverse mode", hint="leave out --mode forward")
            derive = module.value_and_grad
        else:
            derive = module.vjp if arguments.mode == "reverse" else module.jvp
        derived = derive(arguments.fn, wrt, name=arguments.name)
    if not arguments.report:
        _write(derived, arguments)
        return
    from gradir.memory import POLICIES

    policies = [] if arguments.checkpoints is None else [_policy(arguments.checkpoints)]
    with _progress("comparing"), optimizing(numerics=arguments.numerics):
        print(module.memory_report(arguments.fn, wrt, derivative=derive.__name__, policies=[*policies, *POLICIES]))
    if arguments.output != "-":
        _write(derived, arguments)


def _checkpointing(arguments: argparse.Namespace) -> AbstractContextManager[None]:
    from gradir.policy import checkpointing

    return nullcontext() if arguments.checkpoints is None else checkpointing(_policy(arguments.checkpoints))


def _policy(words: str) -> str | int:
    """What --checkpoints says: a number is one of states."""
    return int(words) if words.lstrip("-").isdecimal() else words


def _diff_native(arguments: argparse.Namespace) -> None:
    """Write a native program with the derivative of one of its functions, as a C function."""
    from gradir import native

    if arguments.emit or arguments.version:
        raise InputError("--emit and --version are for MLIR", hint="the suffix of OUT says what to write")
    if arguments.numerics or arguments.checkpoints or arguments.report:
        raise InputError("--numerics, --checkpoints and --report are for MLIR", hint="leave them out")
    with _progress(f"compiling {arguments.source}"):
        module = native.load(arguments.source, flags=arguments.flag)
    with _progress("differentiating"), _verifying(arguments):
        if arguments.value_and_grad:
            derivative = module.value_and_grad(arguments.fn, arguments.wrt)
        else:
            derivative = (module.vjp if arguments.mode == "reverse" else module.jvp)(arguments.fn, arguments.wrt)
        derivative.export_name = arguments.name
        if arguments.output == "-":
            sys.stdout.write(module.to_llvm([derivative]))
        else:
            module.save(arguments.output, [derivative])


def _run(arguments: argparse.Namespace) -> None:
    import numpy as np

    module = _load(arguments.source)
    signature = module.function(arguments.fn)
    values = [value for text in arguments.inputs for value in _values(text)]
    given = [_fit(x, spec) for x, spec in zip(values, signature.arguments, strict=False)] + values[
        len(signature.arguments) :
    ]
    with _progress("compiling"):
        executable = module.compile(arguments.fn, backend=arguments.backend)
    with _progress("running"):
        results = executable(*given)
    results = results if isinstance(results, tuple) else (results,)
    for i, (result, spec) in enumerate(zip(results, signature.results, strict=True)):
        if arguments.output_dir:
            path = Path(arguments.output_dir) / f"result_{i}.npy"
            _save_array(path, result)
            print(f"result {i}: {spec} in {path}")
        else:
            print(f"result {i}: {spec}")
            print(np.array2string(np.asarray(result), separator=", "))


def _doctor(arguments: argparse.Namespace) -> None:
    del arguments
    print(f"gradir {__version__}, Python {sys.version.split()[0]}")
    for package, extra, adds in _PACKAGES:
        try:
            print(f"  {_paint('ok', '32')}       {package} {version(package)}: {adds}")
        except PackageNotFoundError:
            way = f"pip install 'gradir[{extra}]'" if extra else "pip install --force-reinstall gradir"
            print(f"  {_paint('missing', '33')}  {package}: {way} adds {adds}")
    from gradir.backends import BACKENDS, backend

    for name in BACKENDS:
        chosen = backend(name)
        state = chosen.describe() if chosen.available() else f"not installed: pip install 'gradir[{chosen.extra}]'"
        print(f"  back end {name}: {state}")
    _list_compilers()


def _list_compilers() -> None:
    from gradir.frontends.c import clang
    from gradir.frontends.c import version as clang_version
    from gradir.frontends.fortran import flang
    from gradir.frontends.rust import rustc

    def describe_clang() -> str:
        return clang_version(clang())

    for language, describe in (("C and C++", describe_clang), ("Fortran", flang), ("Rust", rustc)):
        try:
            print(f"  compiler for {language}: {describe()}")
        except GradirError as error:
            print(f"  compiler for {language}: none ({error.hint})")


_PACKAGES = (
    ("jax", None, "MLIR, and running on XLA"),
    ("llvmlite", None, "LLVM IR"),
    ("iree-base-compiler", "iree", "compiling for IREE"),
    ("iree-base-runtime", "iree", "running on IREE"),
    ("ziglang", "c", "programs in C and C++"),
    ("numba", "numba", "functions compiled by Numba"),
    ("torch", "torch", "programs exported from PyTorch"),
)


# -- In and out ------------------------------------------------------------------------------------------------------


def _load(source: str) -> Module:
    from gradir.module import Module, load
    from gradir.tensor.ir.module import functions, parse

    with _progress(f"reading {source}"):
        if source != "-":
            return load(Path(source))
        module = parse(sys.stdin.buffer.read(), "<stdin>")
        if not functions(module):
            raise InputError("the program holds no function", location="<stdin>")
        return Module(module)


def _read_text(source: str) -> str:
    try:
        return (sys.stdin.buffer.read() if source == "-" else Path(source).read_bytes()).decode()
    except OSError as error:
        raise InputError(f"can't read it: {error.strerror or error}", location=source) from None
    except UnicodeDecodeError:
        raise InputError("not a text", location=source, hint="only text can hold several modules") from None


def _write(module: Module, arguments: argparse.Namespace) -> None:
    from gradir.module import FORMATS

    path = arguments.output
    form = arguments.emit or FORMATS.get(Path(path).suffix) or ("portable" if arguments.version else "text")
    content = module.to_bytes(form, arguments.version)
    if path == "-" and form != "text" and sys.stdout.isatty():
        raise OutputError(f"{form} is no reading for a terminal", hint="name a file with -o")
    _write_content(content, path)


def _write_content(content: bytes, path: str) -> None:
    from gradir.module import write_file

    if path == "-":
        sys.stdout.buffer.write(content)
    else:
        write_file(path, content)


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
        raise InputError(f"--input {text}: {error}") from None


def _split_dtype(text: str) -> tuple[str, Any]:
    """`[1, 2]xf32` is a literal and an MLIR element type."""
    from gradir.tensor.ir.signature import element_dtype

    match = re.fullmatch(r"(.*[\d\]a-z)])\s*x\s*([a-z]+\d\w*(?:<f\d+>)?|complex<f\d+>)", text.strip(), re.DOTALL)
    if match is None:
        return text, None
    dtype = element_dtype(match[2])
    if dtype is None:
        raise InputError(f"--input {text}: there is no element type '{match[2]}'", hint="use f32, bf16, i64, i1, ...")
    return match[1], dtype


def _literal(literal: str, text: str) -> Any:
    for read in (json.loads, ast.literal_eval):  # NaN and true are JSON's, 1+2j is Python's
        try:
            value = read(literal)
        except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
            continue
        if isinstance(value, (bool, int, float, complex, list, tuple)):
            return value
    raise InputError(
        f"--input {text}: neither a .npy or .npz file nor a literal",
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

    from gradir.module import write_file

    content = io.BytesIO()
    np.save(content, np.asarray(array))
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(f"can't make the folder: {error.strerror or error}", location=str(path.parent)) from None
    write_file(path, content.getvalue())


# -- To a person -----------------------------------------------------------------------------------------------------


def _complain(message: str) -> None:
    prefix = _paint("error:", "31", sys.stderr)
    print(f"gradir: {prefix} {message}", file=sys.stderr)


def _paint(text: str, colour: str, stream: Any = None) -> str:
    """Coloured at a terminal, unless NO_COLOR asks for none; plain anywhere else."""
    stream = stream or sys.stdout
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb" or not stream.isatty()
    return text if plain else f"\033[{colour}m{text}\033[0m"


@contextmanager
def _progress(what: str) -> Iterator[None]:
    """Say what takes time, to a person at a terminal only."""
    if not sys.stderr.isatty():
        yield
        return
    start = time.perf_counter()
    print(f"{what} ...", end="\r", file=sys.stderr, flush=True)
    try:
        yield
    finally:
        print("\033[K", end="", file=sys.stderr, flush=True)
    taken = time.perf_counter() - start
    if taken > 1:
        print(f"{what}: {taken:.1f} s", file=sys.stderr)
