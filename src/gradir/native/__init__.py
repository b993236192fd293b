"""Native code: sources in C, C++, Fortran, Rust and Numba, or LLVM IR, called and differentiated on NumPy arrays."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from gradir.errors import InputError, RequestError
from gradir.frontends.languages import by_content
from gradir.machine import llvm
from gradir.machine.passes.loops.rounds import Note
from gradir.machine.rules.rule import Formula
from gradir.native.derivative import Derivative
from gradir.native.engine import Engine
from gradir.native.function import NativeFunction, Wrt
from gradir.native.names import Functions

if TYPE_CHECKING:
    from gradir.machine.jit.signature import Signature
    from gradir.report import Report

__all__ = ["Derivative", "NativeFunction", "NativeModule", "load"]


class NativeModule:
    """Compiled functions. Get one by name, as an attribute or by its name in brackets.

    Derivatives are callables on the same arguments; `wrt` names the arguments to differentiate by, `outputs` the
    arguments that the function writes its results into, if not all that it writes floats into are meant.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._names = Functions(engine.signatures.values())
        self._functions = {s.symbol: NativeFunction(engine, s) for s in engine.signatures.values()}

    @property
    def functions(self) -> Functions:
        """What can be called, by name: a table, when it is printed."""
        return self._names

    @property
    def phases(self) -> Mapping[str, float]:
        """How long each step of compiling and differentiating took so far, in seconds."""
        return MappingProxyType(self._engine.phases)

    @property
    def loops(self) -> list[Note]:
        """What became of loops whose derivatives were made with a checkpointing policy, and why, if they keep all."""
        return list(self._engine.notes)

    def release_memory(self) -> None:
        """Give back the memory that derivatives keep for their next call. It goes with the module, too."""
        self._engine.release_memory()

    def function(self, name: str | None = None) -> NativeFunction:
        """A function by its name (`f`, `ns::f`, `ns::f(double)`) or its symbol; without a name, the only one."""
        return self._functions[self._names.find(name).symbol]

    __getitem__ = function

    def __getattr__(self, name: str) -> NativeFunction:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self.function(name)
        except InputError as error:
            raise AttributeError(str(error)) from None

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *self.functions})

    def __repr__(self) -> str:
        return f"<gradir.NativeModule: {'; '.join(map(str, self.functions.values()))}>"

    def __str__(self) -> str:
        return self._engine.text

    # -- Derivatives

    def grad(self, fn: str | None = None, wrt: Wrt = None, *, outputs: Wrt = None, fast: bool = False) -> Derivative:
        """Arguments -> gradients of what a function returns (or of the one number that it writes)."""
        return self.function(fn).grad(wrt, outputs=outputs, fast=fast)

    def value_and_grad(
        self, fn: str | None = None, wrt: Wrt = None, *, outputs: Wrt = None, fast: bool = False
    ) -> Derivative:
        """Arguments -> (value, gradients)."""
        return self.function(fn).value_and_grad(wrt, outputs=outputs, fast=fast)

    def vjp(self, fn: str | None = None, wrt: Wrt = None, *, outputs: Wrt = None, fast: bool = False) -> Derivative:
        """(arguments, cotangents of what it returns and of its outputs) -> (returned value, gradients)."""
        return self.function(fn).vjp(wrt, outputs=outputs, fast=fast)

    def jvp(self, fn: str | None = None, wrt: Wrt = None, *, outputs: Wrt = None, fast: bool = False) -> Derivative:
        """(arguments, tangents of `wrt`) -> (returned value, tangents of what it returns and of its outputs)."""
        return self.function(fn).jvp(wrt, outputs=outputs, fast=fast)

    def jacobian(
        self,
        fn: str | None = None,
        wrt: Wrt = None,
        *,
        outputs: Wrt = None,
        mode: str = "auto",
        width: int = 8,
        fast: bool = False,
    ) -> Derivative:
        """Arguments -> for each output and each of `wrt` an array of the output's shape and then the argument's."""
        return self.function(fn).jacobian(wrt, outputs=outputs, mode=mode, width=width, fast=fast)

    def hessian(
        self,
        fn: str | None = None,
        wrt: Wrt = None,
        *,
        outputs: Wrt = None,
        weighted: bool = False,
        width: int = 8,
        fast: bool = False,
    ) -> Derivative:
        """Arguments -> for each pair of `wrt` an array of both their shapes.

        It is that of one number; `weighted` that of a sum of all outputs, whose weights come after the arguments.
        """
        return self.function(fn).hessian(wrt, outputs=outputs, weighted=weighted, width=width, fast=fast)

    def hvp(self, fn: str | None = None, wrt: Wrt = None, *, outputs: Wrt = None, fast: bool = False) -> Derivative:
        """(arguments, vectors) -> the Hessian's product with vectors of the shapes of `wrt`."""
        return self.function(fn).hvp(wrt, outputs=outputs, fast=fast)

    def sparse_jacobian(
        self,
        fn: str | None = None,
        wrt: Wrt = None,
        *,
        outputs: Wrt = None,
        pattern: Any = None,
        check: bool = True,
        mode: str = "auto",
        width: int = 8,
        fast: bool = False,
    ) -> Derivative:
        """Arguments -> a `scipy.sparse.csr_array`: a row for each element of the outputs, a column for each of `wrt`.

        The `pattern` is any matrix with an entry wherever the Jacobian may have one. Without, it is taken from all
        derivatives at the first call's arguments. Each call checks it by one more product, unless `check` is False: a
        given pattern that lacks an entry is refused, and one that was found grows.
        """
        return self.function(fn).sparse_jacobian(
            wrt, outputs=outputs, pattern=pattern, check=check, mode=mode, width=width, fast=fast
        )

    def sparse_hessian(
        self,
        fn: str | None = None,
        wrt: Wrt = None,
        *,
        outputs: Wrt = None,
        pattern: Any = None,
        check: bool = True,
        width: int = 8,
        fast: bool = False,
    ) -> Derivative:
        """Arguments -> a sparse symmetric matrix by the elements of `wrt`; otherwise like `sparse_jacobian`."""
        return self.function(fn).sparse_hessian(
            wrt, outputs=outputs, pattern=pattern, check=check, width=width, fast=fast
        )

    def report(self, fn: str | None = None, wrt: Wrt = None, *, outputs: Wrt = None, mode: str = "reverse") -> Report:
        """A page about a derivative (`vjp_f`, or with `mode` "forward" `jvp_f`), to save or to see in a notebook.

        Beside the source, linked line by line, stand the derivative as LLVM IR, what is active, kept and recomputed,
        what each line costs, what LLVM's passes do and the blocks of the derivative.
        """
        from gradir.report import Report
        from gradir.report.native import native_model

        if mode not in ("reverse", "forward"):
            raise RequestError(f"mode={mode!r}", hint="a report's mode is 'reverse' or 'forward'")
        function = self.function(fn)
        derivative = function.vjp if mode == "reverse" else function.jvp
        return Report(native_model(derivative(wrt, outputs=outputs)))

    # -- Rules

    def with_rule(
        self,
        fn: str,
        *,
        augmented: str | None = None,
        reverse: str | None = None,
        forward: str | None = None,
        partials: Sequence[Formula | None] | None = None,
    ) -> NativeModule:
        """The module with a rule for one of its functions: what is said here is used in place of its body's derivative.

        `augmented` and `reverse` (reverse mode) and `forward` (forward mode) name functions of the sources, in Enzyme's
        calling conventions. `partials` has, for each argument of a pure function of numbers, the derivative by it as a
        formula of the arguments (and, if it takes one more, of the result), or None where that is zero.
        """
        from gradir.native.rules import with_rule

        return NativeModule(with_rule(self._engine, fn, augmented, reverse, forward, partials))

    def with_inactive(self, *fns: str) -> NativeModule:
        """The module with functions that carry no derivative, whatever they are given."""
        from gradir.native.rules import with_inactive

        return NativeModule(with_inactive(self._engine, fns))

    # -- Keeping

    def save(
        self,
        path: str | os.PathLike[str],
        derivatives: Sequence[Derivative] = (),
        *,
        functions: Sequence[str] | None = None,
        noalias: bool = False,
        width: int = 1,
        triple: str = "",
        cpu: str = "",
    ) -> None:
        """Write functions and derivatives for other programs: `.ll`, `.bc`, `.s`, `.o`, `.so` or `.h`.

        All functions are written, or those that are named. A header is written beside an object or a library. With
        `noalias` the callers of derivatives vouch that arrays don't overlap, as C's `restrict` does, and the code is as
        fast as that which is called from here. It is for this machine's CPU, `native`, unless another one is named
        (`x86-64-v3`), or several, `x86-64,x86-64-v3`: the best that can run is chosen at the first call. A triple
        makes code for another machine. Derivatives go in `width` directions at once, whose numbers lie side by side in
        shadows: `d_x[i * width + k]`.
        """
        from gradir.native.save import export, save

        chosen = [self.function(name) for name in (self.functions if functions is None else functions)]
        exports = [export(d, noalias=noalias, width=width) for d in derivatives]
        save(self._engine, path, chosen, exports, triple=triple, cpu=cpu)

    def to_llvm(
        self,
        derivatives: Sequence[Derivative] = (),
        *,
        noalias: bool = False,
        width: int = 1,
        triple: str = "",
        cpu: str = "",
    ) -> str:
        """The text of a module with all functions and some derivatives, optimised: see `save`."""
        return self.to_bytes(".ll", derivatives, noalias=noalias, width=width, triple=triple, cpu=cpu).decode()

    def to_bytes(
        self,
        suffix: str,
        derivatives: Sequence[Derivative] = (),
        *,
        noalias: bool = False,
        width: int = 1,
        triple: str = "",
        cpu: str = "",
    ) -> bytes:
        """What a file of a suffix would hold of all functions and some derivatives: see `save`."""
        from gradir.native.save import content, export

        chosen = list(self._functions.values())
        exports = [export(d, noalias=noalias, width=width) for d in derivatives]
        return content(self._engine, suffix, chosen, exports, triple=triple, cpu=cpu)


def load(
    sources: Any,
    *,
    flags: Sequence[str] = (),
    compiler: str | None = None,
    libraries: Sequence[str] = (),
    signature: Any = None,
    optimise_first: bool = True,
    languages: Mapping[Path, str] | None = None,
) -> NativeModule:
    """Compile and link sources (paths, LLVM text or bitcode), or take the code of a Numba function.

    `flags` go to the compilers, `compiler` names one of them, `libraries` are shared libraries that the code calls
    into. With `optimise_first` False derivatives are made of the code as the front end wrote it. `languages` has
    those of files whose suffixes don't say it.
    """
    from gradir.frontends import CompilerOptions, to_llvm
    from gradir.frontends import numba as numba_frontend
    from gradir.frontends.llvm import read_llvm
    from gradir.machine.enzyme import lower_text
    from gradir.machine.enzyme.names import asks_for_derivative
    from gradir.machine.jit.signature import signatures

    phases: llvm.Phases = {}
    described: Mapping[str, Signature] | None = None
    if numba_frontend.is_dispatcher(sources):
        with llvm.phase(phases, "front end"):
            module, found = numba_frontend.to_llvm(sources, signature)
        described = {found.symbol: found}
    elif isinstance(sources, bytes) or (isinstance(sources, str) and "\n" in sources):
        with llvm.phase(phases, "front end"):
            if by_content(sources if isinstance(sources, bytes) else sources.encode()) == "mlir":
                module, described = _from_mlir(sources, "<text>")
            else:
                module = read_llvm(sources)
    else:
        paths = [sources] if isinstance(sources, (str, os.PathLike)) else list(sources)
        options = CompilerOptions(tuple(flags), compiler, languages or {})
        if len(paths) == 1 and options.language_of(Path(paths[0])) == "core-mlir":
            with llvm.phase(phases, "front end"):
                module, described = _from_mlir(Path(paths[0]).read_bytes(), str(paths[0]))
        else:
            module = to_llvm(paths, options, phases=phases)
    again: Callable[[], llvm.Module] | None = None
    if any(asks_for_derivative(f.name) for f in module.functions):
        text, one = str(module), isinstance(sources, (str, os.PathLike)) and "\n" not in str(sources)
        name = str(sources) if one else "<module>"

        def lowered(again: bool = True) -> llvm.Module:
            with llvm.phase(phases, "differentiate"):
                return llvm.parse(lower_text(text, optimise=optimise_first, again=again, name=name), name)

        described, module, again = described or signatures(text), lowered(again=False), lowered
    engine = Engine(
        module,
        described=described,
        libraries=[*libraries, *_runtimes(module)],
        optimise_first=optimise_first,
        phases=phases,
        again=again,
    )
    if not engine.signatures:
        files = [sources] if isinstance(sources, (str, os.PathLike)) else sources
        is_text = isinstance(sources, bytes) or any("\n" in str(file) for file in files)
        where = None if is_text else ", ".join(map(str, files))
        raise InputError("the program defines no function that can be called from outside", location=where)
    return NativeModule(engine)


def _from_mlir(source: str | bytes, name: str) -> tuple[llvm.Module, Mapping[str, Signature]]:
    """A module of MLIR's own dialects, and how to call its functions."""
    from gradir.frontends import mlir

    return mlir.callable_module(source, name)


def _runtimes(module: llvm.Module) -> list[str]:
    """Libraries that a compiler would link in by itself."""
    from gradir.frontends import fortran, libcxx, rust
    from gradir.frontends.c import zig_cpp
    from gradir.machine.jit import cache_folder

    imports = llvm.imports(module)
    found = []
    if any(name.startswith("_Fortran") for name in imports):
        found.append(fortran.runtime_library(cache_folder()))
    if any(name.startswith(("_RN", "_ZN4core", "_ZN5alloc", "_ZN3std")) for name in imports):
        found.append(rust.runtime_library())
    if libcxx.asks_runtime(imports):
        found.append(libcxx.runtime_library(zig_cpp(), cache_folder()))
    return [library for library in found if library is not None]
