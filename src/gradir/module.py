"""The public face of the tensor level: a program, its derivatives, and ways to run and keep them."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jaxlib.mlir import ir

from gradir.backends import Executable, backend
from gradir.errors import InputError, OutputError, RequestError, UnknownFunction, nearest
from gradir.files import write_file
from gradir.tensor.ir.entry import isolate
from gradir.tensor.ir.module import clone, functions, is_public, operations, parse, to_bytecode, to_portable, to_text
from gradir.tensor.ir.signature import Signature, Wrt, places, signature
from gradir.tensor.transform.calculus import Calculus, JacobianMode
from gradir.tensor.transform.derive import Deriver

if TYPE_CHECKING:
    from gradir.memory import MemoryReport
    from gradir.policy import Policy
    from gradir.report import Report
    from gradir.report.tensor import Derivation
    from gradir.tensor.optimize.watch import Fired

__all__ = ["Module", "Source", "load", "write_file"]

Source = Any
"""A path, MLIR text, bytes (bytecode or portable artifact), a jax `Lowered` or `Exported`, or an MLIR module."""

FORMATS = {".mlir": "text", ".mlirbc": "bytecode", ".mlirpa": "portable", ".stablehlo": "portable", ".vmfb": "vmfb"}


def load(source: Source) -> Module:
    """Read a program.

    >>> m = load("func.func @f(%x: tensor<f32>) -> tensor<f32> { return %x : tensor<f32> }")
    >>> m.function("f")
    Signature(name='f', ...)
    """
    module = _read(source)
    if not functions(module):
        raise InputError("the program holds no function", location=str(source) if _is_path(source) else None)
    return Module(module)


def _read(source: Source) -> ir.Module:
    if isinstance(source, ir.Module):
        return clone(source)
    if isinstance(source, (bytes, bytearray, memoryview)):
        return parse(bytes(source), "<bytes>")
    if _is_path(source):
        path = Path(source)
        try:
            return parse(path.read_bytes(), str(source))
        except OSError as error:
            raise InputError(f"can't read it: {error.strerror or error}", location=str(source)) from None
    if isinstance(source, str):
        return parse(source)
    if hasattr(source, "mlir_module_serialized"):  # jax.export.Exported
        return parse(bytes(source.mlir_module_serialized), "<jax.export>")
    if hasattr(source, "compiler_ir"):  # jax.stages.Lowered, whose module lives in a context of jax's
        return clone(source.compiler_ir("stablehlo"))
    raise InputError(
        f"can't load a {type(source).__name__}",
        hint="give a path, MLIR text, bytes, jax.jit(f).lower(...), jax.export.export(...)(...) or an MLIR module",
    )


def _is_path(source: Source) -> bool:
    """Whether a source names a file. MLIR text has braces or quotes; a path to a program has neither."""
    if isinstance(source, os.PathLike):
        return True
    return isinstance(source, str) and bool(source.strip()) and not set(source) & set('{}()"\n')


class Module:
    """A StableHLO program. Modules don't change: a derivative is a function of a new module.

    >>> m = load('''
    ...   func.func @f(%x: tensor<2xf32>) -> tensor<f32> {
    ...     %y = stablehlo.multiply %x, %x : tensor<2xf32>
    ...     %zero = stablehlo.constant dense<0.0> : tensor<f32>
    ...     %sum = stablehlo.reduce(%y init: %zero) applies stablehlo.add across dimensions = [0]
    ...       : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
    ...     return %sum : tensor<f32>
    ...   }
    ... ''')
    >>> m.grad("f").run("grad_f", [1.0, 3.0])
    array([2., 6.], dtype=float32)
    """

    def __init__(self, module: ir.Module) -> None:
        self._module = module
        self._executables: dict[tuple[Any, ...], Executable] = {}

    # -- What it holds

    @property
    def functions(self) -> dict[str, Signature]:
        """The public functions."""
        return {name: signature(op) for name, op in functions(self._module).items() if is_public(op)}

    def function(self, name: str | None = None) -> Signature:
        """What a function takes and gives. With no name, of `main`, or of the one public function."""
        return signature(functions(self._module)[self._named(name)])

    @property
    def ir(self) -> ir.Module:
        """The MLIR module itself: a copy, to do with as you like."""
        return clone(self._module)

    def __str__(self) -> str:
        return to_text(self._module)

    def __repr__(self) -> str:
        return f"<gradir.Module: {'; '.join(map(str, self.functions.values()))}>"

    # -- Derivatives

    def lower(self, *, keeps_ends: bool = False) -> Module:
        """The module without `enzyme` ops: each is replaced by the derivative it asks for.

        With `keeps_ends`, what ends derivatives (`enzyme.ignore_derivatives`) stays, for those that are yet to come.
        """
        from gradir.tensor import enzyme

        module = clone(self._module)
        (enzyme.lower_requests if keeps_ends else enzyme.lower)(module)
        return Module(module)

    def optimize(
        self, passes: Sequence[str] | None = None, *, numerics: str | None = None, log: list[Fired] | None = None
    ) -> Module:
        """The same program, made cheaper by rewrites: all of them, or the families and rules named.

        Results are the same up to the rounding of sums and products that are put together in another order; `numerics`
        asks for more ("exact") or less ("fast") than this ("default"; see docs/optimizer.md), else those of
        `gradir.optimizing` hold. Rewrites that fire are written to `log`. Derivatives are optimised in any case, unless
        made within `gradir.optimizing(False)`.

        >>> m = load('''
        ...   func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> {
        ...     %y = stablehlo.negate %x : tensor<2xf32>
        ...     %z = stablehlo.negate %y : tensor<2xf32>
        ...     return %z : tensor<2xf32>
        ...   }
        ... ''')
        >>> "negate" in str(m.optimize())
        False
        """
        from gradir.tensor.optimize import Numerics, optimize
        from gradir.tensor.optimize.switch import numerics_now

        level = numerics_now() if numerics is None else Numerics.of(numerics)
        module = clone(self._module)
        optimize(module, passes, numerics=level, log=log)
        return Module(module)

    def with_rule(
        self,
        fn: str,
        *,
        jvp: str | None = None,
        vjp: str | Sequence[str] | None = None,
        implicit: str | None = None,
        fixed_point: str | None = None,
        inactive: bool = False,
        remat: bool = False,
    ) -> Module:
        """A module in which `fn` has a derivative of its own, computed by other functions of the module.

        `jvp` names a function `(args, tangents) -> (results, tangents)`; `vjp` one `(args, cotangents) -> cotangents`,
        or two: `(args) -> (results, residuals)` and `(residuals, cotangents) -> cotangents`. `implicit` names a
        function `(results, args) -> residuals` that the results of `fn` make zero, `fixed_point` one `(results, args)
        -> results` that leaves them as they are: the derivative is that of the equation. With `inactive` the derivative
        is zero; with `remat` the backward sweep keeps nothing of `fn` and runs it again.

        >>> m = load('''
        ...   func.func @f(%x: tensor<f32>) -> tensor<f32> { return %x : tensor<f32> }
        ...   func.func private @double(%x: tensor<f32>, %ct: tensor<f32>) -> tensor<f32> {
        ...     %y = stablehlo.add %ct, %ct : tensor<f32>
        ...     return %y : tensor<f32>
        ...   }
        ... ''')
        >>> m.with_rule("f", vjp="double").grad("f").run("grad_f", 5.0)
        array(2., dtype=float32)
        """
        module = clone(self._module)
        attributes = functions(module)[self._named(fn)].attributes
        with module.context:
            if jvp is not None:
                attributes["gradir.jvp"] = ir.FlatSymbolRefAttr.get(self._named(jvp))
            if vjp is not None:
                names = [vjp] if isinstance(vjp, str) else list(vjp)
                attributes["gradir.vjp"] = ir.ArrayAttr.get([ir.FlatSymbolRefAttr.get(self._named(n)) for n in names])
            for equation, name in ((implicit, "gradir.implicit"), (fixed_point, "gradir.fixed_point")):
                if equation is not None:
                    attributes[name] = ir.FlatSymbolRefAttr.get(self._named(equation))
            for flag, name in ((inactive, "gradir.inactive"), (remat, "gradir.remat")):
                if flag:
                    attributes[name] = ir.UnitAttr.get()
            Deriver(module).custom_rule(self._named(fn))  # checks that the rules fit
        return Module(module)

    def grad(self, fn: str | None = None, wrt: Wrt = 0, *, name: str | None = None) -> Module:
        """A module that also holds `grad_f`: arguments -> gradients of the first result, a real scalar.

        By which arguments, `wrt` says here and below, by number or, where they have names (JAX, PyTorch), by name.
        """
        return self._derived("grad", fn, name, lambda c: c.grad(wrt, value=False))

    def value_and_grad(self, fn: str | None = None, wrt: Wrt = 0, *, name: str | None = None) -> Module:
        """A module that also holds `value_and_grad_f`: arguments -> (results, gradients of the first result)."""
        return self._derived("value_and_grad", fn, name, lambda c: c.grad(wrt, value=True))

    def vjp(self, fn: str | None = None, wrt: Wrt = 0, *, name: str | None = None) -> Module:
        """A module that also holds `vjp_f`: (arguments, cotangents of float results) -> (results, gradients)."""
        return self._derived("vjp", fn, name, lambda c: c.vjp(wrt))

    def jvp(self, fn: str | None = None, wrt: Wrt = 0, *, name: str | None = None) -> Module:
        """A module that also holds `jvp_f`: (arguments, tangents for `wrt`) -> (results, tangents of float results)."""
        return self._derived("jvp", fn, name, lambda c: c.jvp(wrt))

    def jacobian(
        self, fn: str | None = None, wrt: Wrt = 0, *, mode: JacobianMode = "auto", name: str | None = None
    ) -> Module:
        """A module that also holds `jacobian_f`: arguments -> one array for each float result and `wrt` argument.

        Its shape is the result's, then the argument's. `mode` is "forward", "reverse", or "auto" for the cheaper.
        """
        if mode not in ("auto", "forward", "reverse"):
            raise RequestError(f"mode={mode!r}", hint="a Jacobian's mode is 'auto', 'forward' or 'reverse'")
        return self._derived("jacobian", fn, name, lambda c: c.jacobian(wrt, mode))

    def hessian(self, fn: str | None = None, wrt: Wrt = 0, *, name: str | None = None) -> Module:
        """A module that also holds `hessian_f`: arguments -> an array for each pair of `wrt` arguments."""
        return self._derived("hessian", fn, name, lambda c: c.hessian(wrt))

    def memory_report(
        self,
        fn: str | None = None,
        wrt: Wrt = 0,
        *,
        derivative: str = "vjp",
        policies: Sequence[Policy | str | int] | None = None,
    ) -> MemoryReport:
        """What a derivative ("vjp", "grad", …) takes under each checkpointing policy: bytes, and operations done again.

        Both are estimates; that of the bytes is made for XLA, and seldom wrong by more than a tenth.

        >>> m = load("func.func @f(%x: tensor<9xf32>) -> tensor<9xf32> { return %x : tensor<9xf32> }")
        >>> m.memory_report(policies=["auto"])["auto"].recomputed
        0.0
        """
        from gradir.memory import POLICIES, memory_report

        function = self._named(fn)

        name = f"{derivative}_{function}"

        def derive() -> tuple[ir.Module, str]:
            return getattr(self, derivative)(function, wrt, name=name)._module, name

        return memory_report(self._lowered()._module, function, derive, POLICIES if policies is None else policies)

    def report(
        self, fn: str | None = None, wrt: Wrt = 0, *, mode: str = "reverse", title: str | None = None
    ) -> Report:
        """A page about a derivative (`vjp_f`, or with `mode` "forward" `jvp_f`), to save or to see in a notebook.

        Beside the source, linked line by line, stand the derivative, what is active, kept and recomputed, what each
        line costs, the rewrites that fired and graphs of the program. `title` is what to call the function.

        >>> m = load("func.func @f(%x: tensor<9xf32>) -> tensor<9xf32> { return %x : tensor<9xf32> }")
        >>> m.report("f")
        <gradir.Report of vjp_f: 3 lines>
        """
        from gradir.report import Report
        from gradir.report.tensor import tensor_model

        if mode not in ("reverse", "forward"):
            raise RequestError(f"mode={mode!r}", hint="a report's mode is 'reverse' or 'forward'")
        function = self._named(fn)
        chosen = places(self.function(function), wrt)

        def derive(module: ir.Module) -> Derivation:
            return Module(module)._derivation(function, chosen, mode)

        return Report(tensor_model(self._lowered()._module, function, chosen, derive, title=title))

    def _derivation(self, function: str, wrt: Sequence[int], mode: str) -> Derivation:
        from gradir.report.tensor import Derivation
        from gradir.tensor.optimize.switch import optimizing
        from gradir.tensor.optimize.watch import Watch, watching

        kind = "vjp" if mode == "reverse" else "jvp"
        make, name = getattr(self, kind), f"{kind}_{function}"
        fired: list[Fired] = []
        with watching(Watch(fired)):
            made = make(function, wrt, name=name)
        with optimizing(False):
            plain = make(function, wrt, name=name)
        memory = None
        if mode == "reverse" and any(op.name == "stablehlo.while" for op in operations(self._module)):
            memory = self.memory_report(function, wrt, policies=("auto", "none", "full", "sqrt"))
        return Derivation(mode, made._module, plain._module, name, fired, memory)

    def batch(
        self,
        fn: str | None = None,
        size: int = 1,
        *,
        in_axes: Sequence[int | None] | None = None,
        name: str | None = None,
    ) -> Module:
        """A module that also holds `batch_f`: `size` calls in one, over a new axis of each argument and result.

        `in_axes` has an entry for each argument: where its batch axis is, or None if all calls share it.
        """
        return self._derived("batch", fn, name, lambda c: c.batch(size, in_axes))

    def _derived(self, kind: str, fn: str | None, name: str | None, add: Callable[[Calculus], None]) -> Module:
        from gradir.tensor import enzyme
        from gradir.tensor.optimize import optimizer

        function = self._named(fn)
        module = clone(self._module)
        enzyme.lower_requests(module)  # what stops derivatives stays, for those that are to come
        with module.context, ir.Location.unknown():
            add(Calculus(module, function, name or f"{kind}_{function}", optimizer()))
        return Module(module)

    def _lowered(self) -> Module:
        return self.lower() if any(op.name.startswith("enzyme.") for op in operations(self._module)) else self

    def _named(self, name: str | None) -> str:
        """The function meant by `name`, which may be left out where there is no doubt."""
        found = functions(self._module)
        if name is None:
            public = list(self.functions)
            if "main" in public:
                return "main"
            if len(public) == 1:
                return public[0]
            raise UnknownFunction("which function?", hint=f"name one of {', '.join(public)}")
        name = name.removeprefix("@")
        if name not in found:
            hint = nearest(name, found, f"the module holds {', '.join(self.functions) or 'none'}")
            raise UnknownFunction(f"there is no function @{name}", hint=hint)
        return name

    # -- Running and keeping

    def compile(self, fn: str | None = None, *, backend: str = "xla", **options: Any) -> Executable:
        """A callable for one function. `options` are the back end's own (see `gradir.backends`)."""
        return _compile(self._lowered()._module, self._named(fn), backend, options)

    def run(self, fn: Any = None, *arguments: Any, backend: str = "xla", **options: Any) -> Any:
        """Call a function: `m.run("f", x, y)`, or `m.run(x, y)` where it is clear which one is meant.

        NumPy, JAX and DLPack arrays, numbers and lists go in; NumPy arrays come out, or JAX arrays if one went in.
        """
        if fn is not None and not isinstance(fn, str):
            fn, arguments = None, (fn, *arguments)
        key = (self._named(fn), backend, *sorted((name, repr(value)) for name, value in options.items()))
        if key not in self._executables:
            self._executables[key] = self.compile(fn, backend=backend, **options)
        return self._executables[key](*arguments)

    def to_bytes(self, format: str = "bytecode", version: str | None = None) -> bytes:
        """The module as "text", "bytecode", a "portable" artifact (for StableHLO of at least `version`), or a "vmfb".

        A VMFB is what IREE's runtime runs, compiled for this machine's CPU, with all public functions.
        """
        if version is not None and format != "portable":
            raise OutputError(f"{format} has no version", hint="a version is for portable artifacts")
        if format == "text":
            return (to_text(self._module).rstrip("\n") + "\n").encode()
        if format == "bytecode":
            return to_bytecode(self._module)
        if format == "portable":
            return to_portable(self._module, version)
        if format == "vmfb":
            from gradir.backends.iree import vmfb

            return vmfb(self._lowered()._module)
        raise OutputError(f"there is no format '{format}'", hint="the formats are text, bytecode, portable and vmfb")

    def save(self, path: str | os.PathLike[str], *, version: str | None = None) -> None:
        """Write the module, in a form chosen by the suffix.

        `.mlir` is text, `.mlirbc` bytecode, `.mlirpa` and `.stablehlo` are portable artifacts, for which the oldest
        StableHLO that shall read them can be given, `.vmfb` is compiled by IREE. A file that is there stays as it was
        if anything goes wrong.
        """
        suffix = Path(path).suffix
        if suffix not in FORMATS:
            raise OutputError(
                f"no format for the suffix '{suffix}'", location=str(path), hint=f"use one of {', '.join(FORMATS)}"
            )
        write_file(path, self.to_bytes(FORMATS[suffix], version))


def _compile(module: ir.Module, function: str, name: str, options: Mapping[str, Any]) -> Executable:
    return Executable(isolate(module, function), backend(name), options)

