"""MLIR modules in and out: reading, writing, copying and running passes."""

from __future__ import annotations

import io
import itertools
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, cast

from jaxlib.mlir import ir
from jaxlib.mlir.dialects import func, stablehlo
from jaxlib.mlir.passmanager import PassManager

from gradir.errors import GradirError, InputError, OutputError
from gradir.tensor.ir import enzyme_syntax
from gradir.tensor.ir.context import Context, context

__all__ = [
    "clone",
    "diagnostics",
    "expand_chlo",
    "functions",
    "has_place",
    "is_public",
    "linked",
    "location_text",
    "merged",
    "operations",
    "parse",
    "run_passes",
    "symbols",
    "to_bytecode",
    "to_portable",
    "to_text",
    "verify",
]

BYTECODE_MAGIC = b"ML\xefR"
PORTABLE_PRODUCER = b"StableHLO_v"
UNNAMED = "-"
"""The file name that MLIR's parser gives to a buffer."""

# -- Reading ---------------------------------------------------------------------------------------------------------


def parse(source: str | bytes, name: str = "<text>") -> ir.Module:
    """Read MLIR text (pretty or generic), MLIR bytecode or a StableHLO portable artifact.

    `name` is the file name that locations and errors show.

    >>> module = parse("func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> { return %x : tensor<2xf32> }")
    >>> list(functions(module))
    ['f']
    >>> parse("func.func @f() {\\n  nonsense\\n}", "f.mlir")
    Traceback (most recent call last):
    ...
    gradir.errors.InputError: f.mlir:2:3: ...
    """
    if isinstance(source, bytes):
        if source.startswith(BYTECODE_MAGIC):
            return _parse_bytecode(source, name)
        try:
            source = source.decode()
        except UnicodeDecodeError as error:
            raise InputError(
                f"neither MLIR text nor bytecode: byte {error.start} is not UTF-8",
                location=name,
                hint="give MLIR text, MLIR bytecode or a StableHLO portable artifact",
            ) from None
    if "\0" in source:  # MLIR's parser would silently stop here
        line = source.count("\n", 0, source.index("\0")) + 1
        raise InputError("a zero byte in MLIR text", location=f"{name}:{line}")
    if "enzyme." in source:
        source = enzyme_syntax.to_generic(source, name)
    try:
        module = ir.Module.parse(source, context(len(source)))
    except ir.MLIRError as error:
        raise _input_error(error, name) from None
    _name_locations(module, name)
    return module


def _parse_bytecode(source: bytes, name: str) -> ir.Module:
    portable = source[5 : 5 + len(PORTABLE_PRODUCER)] == PORTABLE_PRODUCER
    ours = context(len(source))
    with diagnostics(ours) as said:
        try:
            if portable:
                return stablehlo.deserialize_portable_artifact(ours, source)
            return ir.Module.parse(source, ours)
        except ir.MLIRError as error:
            raise _input_error(error, name) from None
        except ValueError:
            kind = "StableHLO portable artifact" if portable else "MLIR bytecode"
            raise InputError(
                f"malformed {kind}: {said.first or 'unreadable'}",
                location=name,
                hint="it may be cut short, or written by a newer version of StableHLO",
            ) from None


def _input_error(error: ir.MLIRError, name: str) -> InputError:
    """The first diagnostic of a failed parse, with its notes, as one error."""
    diagnostic = error.error_diagnostics[0]
    message = diagnostic.message
    for note in diagnostic.notes:
        at = _named(location_text(note.location), name)
        message += f"\n  note: {note.message}" + (f" ({at})" if at else "")
    hint = None
    if "is unknown (tried" in message or "not found for custom op" in message:
        message = message.partition("\n")[0].rstrip()
        hint = (
            "gradir reads func, stablehlo, chlo, sdy, mhlo and enzyme; write an op of another dialect in generic form"
        )
    return InputError(message, location=_named(location_text(diagnostic.location), name) or name, hint=hint)


def _named(location: str | None, name: str) -> str | None:
    """`location` with the file name put where MLIR has none (bytecode has no lines: the name stands alone)."""
    if location is None or not location.startswith(f"{UNNAMED}:"):
        return location
    place = location.removeprefix(UNNAMED)
    return name if place == ":0:0" else name + place


def _name_locations(module: ir.Module, name: str) -> None:
    """Put the file's name into the locations that the parser made for a nameless buffer."""

    def named(location: ir.Location) -> ir.Location | None:
        if isinstance(location, ir.FileLineColLoc) and location.filename == UNNAMED:
            return ir.Location.file(name, location.start_line, location.start_col)
        return None

    def visit(op: ir.Operation) -> ir.WalkResult:
        if location := named(op.location):
            op.location = location
        for region in op.regions:
            for block in region:
                for argument in block.arguments:
                    if location := named(argument.location):
                        argument.set_location(location)
        return ir.WalkResult.ADVANCE

    with module.context:
        module.operation.walk(visit, ir.WalkOrder.PRE_ORDER)


def clone(module: ir.Module, into: ir.Context | None = None, *, keep: Collection[str] | None = None) -> ir.Module:
    """A copy in the same context if that is gradir's, or in the one asked for; between two, it travels as bytecode.

    Within a context, it may have only those functions that are to be kept.
    """
    ours = into or (module.context if isinstance(module.context, Context) else None)
    if module.context is not ours:
        bytecode = to_bytecode(module)
        return ir.Module.parse(bytecode, ours or context(len(bytecode)))
    with ours:
        copy = ir.Module.create(module.operation.location)
        for attribute in module.operation.attributes:
            copy.operation.attributes[attribute] = module.operation.attributes[attribute]
        with ir.InsertionPoint(copy.body):
            for op in module.body.operations:
                if keep is None or not isinstance(op, func.FuncOp) or op.name.value in keep:
                    op.operation.clone()
    return copy


# -- Writing ---------------------------------------------------------------------------------------------------------


def merged(pieces: Mapping[str, ir.Module], private: Sequence[str] = ()) -> ir.Module:
    """One module with the `main` of each piece under its name, and what it calls; the pieces are taken apart."""
    into = next(iter(pieces.values())).context
    with into, ir.Location.unknown():
        whole = ir.Module.create()
        for name, given in pieces.items():
            piece = given if given.context == into else clone(given, into)
            for old, op in functions(piece).items():
                new = name if old == "main" else f"{name}.{old}"
                ir.SymbolTable.replace_all_symbol_uses(old, new, piece.operation)
                ir.SymbolTable.set_symbol_name(op.operation, new)
                hidden = old != "main" or name in private
                ir.SymbolTable.set_visibility(op.operation, "private" if hidden else "public")
            for op in list(piece.body.operations):
                whole.body.append(op)
    return whole


def linked(modules: Sequence[ir.Module]) -> ir.Module:
    """One module with the functions of several: one that is declared in one and defined in another is the other's.

    Private functions that share a name stay apart; public ones must not.
    """
    whole = clone(modules[0])
    for given in modules[1:]:
        piece = clone(given, whole.context)
        with whole.context, ir.Location.unknown():
            for name, op in functions(piece).items():
                _make_room(whole, name, op, piece)
            for op in list(piece.body.operations):
                whole.body.append(op)
    return whole


def _make_room(whole: ir.Module, name: str, op: func.FuncOp, piece: ir.Module) -> None:
    """Let a function of a piece come into a module that may have one of its name."""
    there = functions(whole).get(name)
    if there is None:
        return
    if there.is_external or op.is_external:
        (there if there.is_external else op).operation.erase()
        return
    hidden = next(((o, m) for o, m in ((op, piece), (there, whole)) if not is_public(o)), None)
    if hidden is None:
        first, second = (location_text(o.operation.location) for o in (there, op))
        raise InputError(f"there are two functions @{name}: {first} and {second}", location=second)
    taken = {*functions(whole), *functions(piece)}
    new = next(n for i in itertools.count(1) if (n := f"{name}_{i}") not in taken)
    ir.SymbolTable.replace_all_symbol_uses(name, new, hidden[1].operation)
    ir.SymbolTable.set_symbol_name(hidden[0].operation, new)


def is_public(function: func.FuncOp) -> bool:
    """Whether a function can be called from outside."""
    attributes = function.operation.attributes
    return "sym_visibility" not in attributes or ir.StringAttr(attributes["sym_visibility"]).value == "public"


def to_text(module: ir.Module, *, generic: bool = False, locations: bool = False) -> str:
    """MLIR text: pretty by default, with `locations` if asked for."""
    text = module.operation.get_asm(print_generic_op_form=generic, enable_debug_info=locations)
    assert isinstance(text, str)
    return text


def to_bytecode(module: ir.Module) -> bytes:
    """MLIR bytecode, locations included."""
    out = io.BytesIO()
    module.operation.write_bytecode(out)
    return out.getvalue()


def to_portable(module: ir.Module, version: str | None = None) -> bytes:
    """A StableHLO portable artifact that any StableHLO of at least `version` (this one's, if not given) reads.

    CHLO is not part of the portable dialect, so it is written as the StableHLO it stands for.
    """
    foreign = sorted({op.name for op in operations(module) if not _is_portable(op.name)})
    if foreign:
        raise OutputError(
            f"no portable artifact: {', '.join(foreign)} {'is' if len(foreign) == 1 else 'are'} not part of StableHLO",
            hint="lower the module first, or write text or bytecode",
        )
    artifact = clone(module)  # the serialiser rewrites what it is given, also when it fails
    expand_chlo(artifact)
    # Sharding has a portable form of its own (`sdy`), which the serialiser lets through only when asked to.
    sharded = any(op.name.startswith("sdy.") for op in operations(artifact))
    with diagnostics(artifact.context) as said:
        try:
            return stablehlo.serialize_portable_artifact(
                artifact, version or stablehlo.get_current_version(), allow_other_dialects=sharded
            )
        except ValueError:
            message = (said.first or "the serialiser refused it").splitlines()[0].partition(": %")[0]
            oldest, newest = stablehlo.get_minimum_version(), stablehlo.get_current_version()
            raise OutputError(
                f"no portable artifact: {message}", hint=f"versions from {oldest} to {newest} can be written"
            ) from None


def _is_portable(op_name: str) -> bool:
    return op_name.partition(".")[0] in ("builtin", "func", "stablehlo", "chlo", "sdy")


# -- Passes and inspection -------------------------------------------------------------------------------------------


def run_passes(module: ir.Module, pipeline: str) -> None:
    """Run an MLIR pass pipeline in place, e.g. ``"symbol-dce,cse"`` or ``"func.func(chlo-legalize-to-stablehlo)"``."""
    if not pipeline.startswith("builtin.module("):
        pipeline = f"builtin.module({pipeline})"
    try:
        PassManager.parse(pipeline, module.context).run(module.operation)
    except ir.MLIRError as error:
        first = error.error_diagnostics[0] if error.error_diagnostics else None
        raise GradirError(
            f"the pass pipeline '{pipeline}' failed: {first.message if first else error}",
            location=location_text(first.location) if first else None,
        ) from None
    except ValueError as error:
        raise GradirError(f"not a pass pipeline: {pipeline}\n{str(error).rstrip()}") from None


def expand_chlo(module: ir.Module) -> None:
    """Replace CHLO ops, in place, by the StableHLO they stand for."""
    if any(op.name.startswith("chlo.") for op in operations(module)):
        run_passes(module, "func.func(chlo-legalize-to-stablehlo)")


def verify(module: ir.Module) -> None:
    """Run MLIR's verifier; a module that fails it is a bug in whatever made it."""
    try:
        module.operation.verify()
    except ir.MLIRError as error:
        first = error.error_diagnostics[0]
        raise GradirError(f"invalid module: {first.message}", location=location_text(first.location)) from None


def functions(module: ir.Module) -> dict[str, func.FuncOp]:
    """The module's functions by symbol, in order. (They don't keep the module alive: the caller must.)"""
    return {
        ir.StringAttr(op.attributes["sym_name"]).value: op
        for op in module.body.operations
        if isinstance(op, func.FuncOp)
    }


def symbols(module: ir.Module) -> dict[str, ir.Operation]:
    """All that the module names, in order: functions, meshes."""
    return {
        ir.StringAttr(op.operation.attributes["sym_name"]).value: op.operation
        for op in module.body.operations
        if "sym_name" in op.operation.attributes
    }


def location_text(loc: ir.Location) -> str | None:
    """``file:line:col`` of the innermost place that `loc` knows, else the innermost name, else None.

    JAX wraps a place in names and call sites (``"jit(f)/sin"("f.py":3:9 at ...)``); an op made by a transform may
    fuse several.

    >>> with context():
    ...     place = ir.Location.file("f.py", 3, 9)
    ...     location_text(ir.Location.name("jit(f)/sin", place))
    'f.py:3:9'
    """
    places = list(_places(loc))
    for place in places:
        if isinstance(place, ir.FileLineColLoc):
            return f"{place.filename}:{place.start_line}:{place.start_col}"
    return next((place.name_str for place in reversed(places) if isinstance(place, ir.NameLoc)), None)


def has_place(loc: ir.Location) -> bool:
    """Whether a location leads to a line of a file."""
    return any(isinstance(place, ir.FileLineColLoc) for place in _places(loc))


def _places(loc: ir.Location) -> Iterator[ir.Location]:
    if type(loc) is ir.Location:  # a diagnostic's location doesn't know its own kind
        loc = ir.Location.from_attr(loc.attr, loc.context)
    yield loc
    inner: Sequence[ir.Location] = ()
    if isinstance(loc, ir.NameLoc):
        inner = [loc.child_loc]
    elif isinstance(loc, ir.CallSiteLoc):
        inner = [loc.callee, loc.caller]
    elif isinstance(loc, ir.FusedLoc):
        inner = cast(Sequence[ir.Location], loc.locations)
    for place in inner:
        yield from _places(place)


def operations(root: ir.Module | ir.OpView | ir.Operation) -> list[ir.Operation]:
    """Every op of a module or a function, outermost first, as a list: ops may be erased while going through it."""
    found: list[ir.Operation] = []

    def visit(op: ir.Operation) -> ir.WalkResult:
        found.append(op)
        return ir.WalkResult.ADVANCE

    root.operation.walk(visit, ir.WalkOrder.PRE_ORDER)
    return found


@dataclass
class Said:
    """What MLIR printed while it worked."""

    errors: list[str] = field(default_factory=list)

    @property
    def first(self) -> str | None:
        return self.errors[0] if self.errors else None


@contextmanager
def diagnostics(of: ir.Context) -> Iterator[Said]:
    """Collect a context's diagnostics instead of letting it write them to stderr."""
    said = Said()

    def collect(diagnostic: ir.Diagnostic) -> bool:
        if diagnostic.severity == ir.DiagnosticSeverity.ERROR:
            said.errors.append(diagnostic.message)
        return True

    handler: Any = of.attach_diagnostic_handler(collect)
    try:
        yield said
    finally:
        handler.detach()
