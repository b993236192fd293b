"""Looking at a function or its derivative: of a Sheaf or Python file, or of a StableHLO module."""

from __future__ import annotations

import inspect
import keyword
import re
import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp
import numpy as np
from jaxlib.mlir import ir

import gradir.jax
from gradir.definitions import Definitions, leaf_names, read_definitions, sheaf_parameters
from gradir.errors import GradirError, InputError, RequestError, UnknownFunction, nearest
from gradir.formula import Formula, c_source, infix, python, sexpr
from gradir.formula.program import alone, formula_of
from gradir.frontends.sheaf import Program, SheafError
from gradir.frontends.sheaf.forms import Form, List, Symbol, head_of
from gradir.frontends.sheaf.functions import Closure
from gradir.frontends.sheaf.reader import read
from gradir.frontends.sheaf.source import Source
from gradir.module import Module, load
from gradir.tensor.ir.entry import MAIN
from gradir.tensor.ir.module import functions, run_passes
from gradir.tensor.ir.signature import element_dtype

if TYPE_CHECKING:
    from gradir.native import Derivative, NativeFunction, NativeModule

__all__ = [
    "NOTATIONS",
    "NativeView",
    "Shapes",
    "View",
    "parse_shapes",
    "places_of",
    "view",
    "view_of_closure",
    "view_of_file",
    "view_of_module",
    "view_of_native",
    "view_of_text",
]

Shapes = Mapping[str, jax.ShapeDtypeStruct]
Tree = Any


@dataclass(frozen=True)
class View:
    """A function of a program to look at, with names for what it takes and gives."""

    module: Module
    function: str
    name: str
    parameters: tuple[str, ...]
    results: tuple[str, ...]

    @cached_property
    def formula(self) -> Formula:
        return formula_of(
            self.module.ir, self.function, name=self.name, parameters=self.parameters, results=self.results
        )

    def mlir(self) -> str:
        """The function alone, optimised, as MLIR."""
        module = alone(self.module.ir, self.function).module
        run_passes(module, "symbol-dce")
        with module.context:
            ir.SymbolTable.set_symbol_name(functions(module)[MAIN].operation, self.name)
        return str(Module(module))

    def text(self, notation: str) -> str:
        """In one of `NOTATIONS`."""
        return NOTATIONS[notation](self).rstrip("\n")


def _no_llvm(view: View) -> str:
    raise RequestError("--as llvm is for native code", hint="show it --as mlir")


NOTATIONS: dict[str, Callable[[View], str]] = {
    "sexpr": lambda view: sexpr(view.formula),
    "formula": lambda view: infix(view.formula),
    "python": lambda view: python(view.formula),
    "c": lambda view: c_source(view.formula),
    "mlir": View.mlir,
    "llvm": _no_llvm,
}


@dataclass(frozen=True)
class NativeView:
    """A native function to look at, or its derivative: as LLVM IR, and if it is a formula, as any other."""

    function: NativeFunction
    derivative: Derivative | None

    @cached_property
    def straight(self) -> View:
        """The same, as StableHLO."""
        from gradir.native.straight import straight_derivative, straight_function

        made = straight_function(self.function) if self.derivative is None else straight_derivative(self.derivative)
        name = self.function.name
        if self.derivative is not None:
            name, _ = _gradient_names([self.function.arguments[i].name for i in self.derivative.wrt])
        return View(Module(made.module), "main", name, made.parameters, made.results)

    def text(self, notation: str) -> str:
        """In one of `NOTATIONS`."""
        from gradir.native.straight import plain_llvm

        return plain_llvm(self.function, self.derivative) if notation == "llvm" else self.straight.text(notation)


# -- Functions that JAX can trace --------------------------------------------------------------------------------------


def view(
    name: str, function: Callable[..., Tree], arguments: Mapping[str, Tree], by: Sequence[str] = (), hint: str = ""
) -> View:
    """A function of these arguments, which are arrays or trees of them, or of their shapes; or its gradient.

    >>> number = jax.ShapeDtypeStruct((), np.float32)
    >>> view("f", lambda x, y: x * y + x, {"x": number, "y": number}, by=["x"]).text("sexpr")
    '(+ y 1)'
    """
    specs = {n: jax.tree.map(_spec, a) for n, a in arguments.items()}
    leaves, tree = jax.tree.flatten(list(specs.values()))
    names = _leaf_names(specs)

    def flat(*values: Any) -> list[Any]:
        result = function(*jax.tree.unflatten(tree, values))
        return [jnp.asarray(leaf) for leaf in jax.tree.leaves(result)]

    try:
        gives = jax.eval_shape(flat, *leaves)
    except SheafError as error:
        error.hint = error.hint or hint or None
        raise
    except GradirError:
        raise
    except (TypeError, ValueError, IndexError, AttributeError, KeyError) as error:
        reason = str(error).strip().partition("\n")[0]
        shown = hint if isinstance(error, (TypeError, ValueError, IndexError)) else ""  # what other shapes may mend
        raise InputError(
            f"{name} can't be traced: {type(error).__name__}: {reason}", location=_line_of(error), hint=shown or None
        ) from error
    are_names = all(n.isidentifier() and not keyword.iskeyword(n) for n in names.short)
    if are_names and len({*names.short}) == len(names.short):  # JAX calls the arguments by them
        called = [inspect.Parameter(n, inspect.Parameter.POSITIONAL_ONLY) for n in names.short]
        flat.__signature__ = inspect.Signature(called)  # type: ignore[attr-defined]
    if not by:
        return View(_module(flat, leaves), "main", name, tuple(names.short), _result_names(len(gives)))
    places = [i for n in by for i in names.places(n)]
    _check_gradient(name, gives, [(names.short[i], leaves[i]) for i in places])
    gradient = gradir.jax.grad(lambda *values: flat(*values)[0], argnums=tuple(places))
    title, results = _gradient_names([names.short[i] for i in places])
    return View(_module(gradient, leaves), "main", title, tuple(names.short), results)


def _line_of(error: Exception) -> str | None:
    """The innermost line that an error came through which is neither gradir's nor a package's."""
    packages = tuple(str(Path(m.__file__).parent) for m in (gradir, jax, np) if m.__file__)
    lines = [f for f in traceback.extract_tb(error.__traceback__) if not f.filename.startswith((*packages, "<"))]
    return f"{lines[-1].filename}:{lines[-1].lineno}" if lines else None


def _result_names(count: int) -> tuple[str, ...]:
    return tuple(f"result{i}" for i in range(count))


def _gradient_names(by: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    """What a gradient function is called, and its results."""
    return f"grad_{'_'.join(by)}", tuple(f"grad_{name}" for name in by)


def _spec(leaf: Any) -> jax.ShapeDtypeStruct:
    if isinstance(leaf, jax.ShapeDtypeStruct):
        return leaf
    if isinstance(leaf, (bool, int, float)):
        return jax.ShapeDtypeStruct((), np.float32)
    return jax.ShapeDtypeStruct(np.shape(leaf), jnp.asarray(leaf).dtype)


def _module(function: Callable[..., Any], leaves: Sequence[Any]) -> Module:
    return load(jax.jit(function, keep_unused=True).lower(*leaves))


def _check_gradient(name: str, gives: Sequence[Any], by: Sequence[tuple[str, Any]]) -> None:
    first = gives[0] if gives else None
    if first is None or first.shape != () or not jnp.issubdtype(first.dtype, jnp.floating):
        shown = "nothing" if first is None else f"{first.dtype}[{'x'.join(map(str, first.shape))}]"
        raise RequestError(
            f"{name} gives {shown}, and a gradient is that of a real number", hint="take the sum or the mean"
        )
    for argument, leaf in by:
        if not jnp.issubdtype(leaf.dtype, jnp.floating):
            raise RequestError(f"{argument} is of {leaf.dtype}: there is no derivative by it")


@dataclass(frozen=True)
class _LeafNames:
    """The leaves of arguments that may be trees: `p.W1`, in short `W1` where no other is called so."""

    owner: list[str]
    full: list[str]
    short: list[str]

    def places(self, name: str) -> list[int]:
        """The leaves that a name stands for: those of an argument, or one."""
        for names in (self.owner, self.full, self.short):
            if name in names:
                return [i for i, n in enumerate(names) if n == name]
        otherwise = f"there are {', '.join(dict.fromkeys(self.owner)) or 'none'}"
        hint = nearest(name, [*self.owner, *self.full], otherwise)
        raise RequestError(f"there is no argument '{name}'", hint=hint)


def _leaf_names(arguments: Mapping[str, Tree]) -> _LeafNames:
    owner, full, last = [], [], []
    for name, tree in arguments.items():
        for words in leaf_names(tree):
            owner.append(name)
            full.append(".".join([name, *words]))
            last.append([name, *words][-1])
    pairs = zip(last, full, strict=True)
    short = [n if last.count(n) == 1 and not n.isdigit() else f.replace(".", "_") for n, f in pairs]
    return _LeafNames(owner, full, short)


# -- Files -------------------------------------------------------------------------------------------------------------


def view_of_native(module: NativeModule, function: str | None, by: Sequence[str]) -> NativeView:
    """A function of native code, or its gradient."""
    found = module.function(function)
    return NativeView(found, found.grad([int(b) if b.isdigit() else b for b in by]) if by else None)


def view_of_file(path: Path, function: str | None, by: Sequence[str], shapes: Shapes) -> View:
    """A function of a `.shf`, a `.py` or an MLIR file, or its gradient."""
    if path.suffix in (".shf", ".py"):
        return _view_of_definitions(read_definitions(path), function, by, shapes)
    if shapes:
        raise RequestError("an MLIR function has shapes of its own", hint="leave --shape out")
    module = load(path)
    return view_of_module(module, function, by, path)


def view_of_closure(function: Closure, given: Sequence[Tree], by: Sequence[str]) -> View:
    """A Sheaf function for arguments like the first ones given; the others are numbers."""
    names = sheaf_parameters(function, Path(function.place.source.name))
    arguments, _ = _arguments(names, {}, dict(zip(names, given, strict=False)))
    hint = f"numbers are taken where nothing is given: say what {names[-1]} is like" if len(given) < len(names) else ""
    return view(function.name, function.evaluator.staged(function), arguments, by, hint)


def _view_of_definitions(found: Definitions, function: str | None, by: Sequence[str], shapes: Shapes) -> View:
    name = function or _only(found)
    known = found.get(name) or found.get(name.replace("_", "-"))
    if not callable(known):
        hint = nearest(name, found.functions, f"it defines {', '.join(found.functions) or 'none'}")
        raise UnknownFunction(f"it defines no function '{name}'", location=str(found.path), hint=hint)
    names = found.names(known)
    examples = _examples(found, names)
    arguments, hint = _arguments(names, shapes, examples)
    try:
        return view(name, known, arguments, by, hint)
    except GradirError:
        if not set(names) & set(examples):
            raise
        # The examples are the loss's: another function may have arguments of the same names, and other shapes.
        arguments, hint = _arguments(names, shapes, {})
        try:
            return view(name, known, arguments, by, hint)
        except GradirError:
            pass
        raise


def _only(found: Definitions) -> str:
    if len(found.functions) != 1:
        names = ", ".join(found.functions) or "none"
        raise UnknownFunction("which function?", location=str(found.path), hint=f"--fn names one of {names}")
    return found.functions[0]


def _examples(found: Definitions, names: Sequence[str]) -> dict[str, Tree]:
    """What a program that can be trained says of its arguments: `params`, or `init` of a random key, and `data`."""
    made: dict[str, Tree] = {}
    start, init, data = (found.get(n) for n in ("params", "init", "data"))
    if start is None and callable(init):
        start = jax.eval_shape(init, jax.random.key(0))
    if isinstance(start, Mapping):  # by argument; or the value of the first argument itself
        made |= start if set(start) <= set(names) or not names else {names[0]: start}
    return made | dict(data) if isinstance(data, Mapping) else made


def _arguments(names: Sequence[str], shapes: Shapes, examples: Mapping[str, Tree]) -> tuple[dict[str, Tree], str]:
    """The arguments by name: of a shape that is given, like an example, or numbers; and what to say of the last."""
    for name in shapes:
        if name not in names:
            raise RequestError(f"there is no argument '{name}' to give a shape", hint=f"there are {', '.join(names)}")
    number = jax.ShapeDtypeStruct((), np.float32)
    made = {n: shapes.get(n, examples.get(n, number)) for n in names}
    assumed = [n for n in names if n not in shapes and n not in examples]
    hint = f"taken for numbers: {', '.join(assumed)}; give shapes, as in --shape {assumed[0]}=2x8" if assumed else ""
    return made, hint


def parse_shapes(texts: Sequence[str]) -> dict[str, jax.ShapeDtypeStruct]:
    """Shapes at the command line.

    >>> parse_shapes(["W=2x8", "n=i32", "x=3xf64"])
    {'W': ShapeDtypeStruct(shape=(2, 8), dtype=float32), 'n': ShapeDtypeStruct(shape=(), dtype=int32), \
'x': ShapeDtypeStruct(shape=(3,), dtype=float64)}
    """
    made = {}
    for text in (part for t in texts for part in t.split(",") if part):
        name, _, shape = text.partition("=")
        match = re.fullmatch(r"((?:\d+(?:x|$))*)([a-z]\w*)?", shape.strip()) if shape else None
        dtype = element_dtype(match[2]) if match and match[2] else np.dtype(np.float32)
        if not match or dtype is None:
            raise RequestError(f"--shape {text} is no shape", hint="shapes look like x=3, W=2x8, n=i32 or x=2x8xf64")
        made[name.strip()] = jax.ShapeDtypeStruct(tuple(int(n) for n in match[1].split("x") if n), dtype)
    return made


# -- Sheaf expressions -------------------------------------------------------------------------------------------------


def view_of_text(text: str, by: Sequence[str], shapes: Shapes, program: Program | None = None) -> View:
    """A Sheaf function that is written down: `(fn [x y] ...)`, or `(grad (fn [x y] ...) x)` for its derivative."""
    program = program or Program(compiles=False)
    forms = read(Source("<expression>", text))
    if len(forms) != 1:
        raise InputError(f"one expression is wanted, not {len(forms)}")
    form, named = _without_grad(forms[0])
    function = program.evaluator.run_form(form)
    if not isinstance(function, Closure):
        raise SheafError("a function is wanted here", form.place, hint="as in (fn [x y] (* x y))")
    arguments, hint = _arguments(sheaf_parameters(function, Path("<expression>")), shapes, {})
    return view("f", program.evaluator.staged(function), arguments, [*by, *named], hint)


def _without_grad(form: Form) -> tuple[Form, list[str]]:
    """A function, and by what it is differentiated."""
    if isinstance(form, List) and head_of(form) == "grad" and len(form.items) > 2:
        by = form.items[2:]
        if all(isinstance(b, Symbol) for b in by):
            return form.items[1], [b.name for b in by if isinstance(b, Symbol)]
    return form, []


# -- StableHLO modules -------------------------------------------------------------------------------------------------


def view_of_module(module: Module, function: str | None, by: Sequence[str], path: Path) -> View:
    """A function of a module, which a file may hold as text, or its gradient."""
    signature = module.function(function)
    written = _written_names(path, signature.name)
    names = [a.name or f"arg{i}" for i, a in enumerate(signature.arguments)]
    if written is not None and len(written) == len(names):
        names = [a.name or w for a, w in zip(signature.arguments, written, strict=True)]
    if not by:
        gives = _result_names(len(signature.results))
        return View(module.lower(), signature.name, signature.name, tuple(names), gives)
    places = [_place(b, names) for b in by]
    title, results = _gradient_names([names[i] for i in places])
    free = _free(module, title)
    return View(module.grad(signature.name, wrt=tuple(places), name=free), free, title, tuple(names), results)


def places_of(view: View, by: Sequence[str]) -> list[int]:
    """The arguments that are named or numbered; without any, the first that has a derivative."""
    if by:
        return [_place(b, view.parameters) for b in by]
    types = view.module.function(view.function).arguments
    floats = [i for i, a in enumerate(types) if a.dtype is not None and jnp.issubdtype(a.dtype, jnp.inexact)]
    return floats[:1] or [0]


def _free(module: Module, name: str) -> str:
    """The name, or one like it that the module has no function of."""
    taken = functions(module.ir)
    while name in taken:
        name += "_"
    return name


def _place(name: str, names: Sequence[str]) -> int:
    if name in names:
        return names.index(name)
    if name.isdigit() and int(name) < len(names):
        return int(name)
    raise RequestError(
        f"there is no argument '{name}'", hint=f"there are {', '.join(names)}; a number counts them from 0"
    )


def _written_names(path: Path, function: str) -> list[str] | None:
    """The names that a text gives to the function's arguments, which MLIR's parser drops."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return None
    match = re.search(rf"func\.func[^@\n]*@{re.escape(function)}\s*\(([^{{]*)", text)
    return re.findall(r"%([A-Za-z_]\w*)\s*:", match[1]) if match else None
