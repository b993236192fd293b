"""A program with functions of both levels: each is run and differentiated at its own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gradir.errors import UnknownFunction

if TYPE_CHECKING:
    from gradir.module import Module
    from gradir.native import NativeModule

__all__ = ["MixedModule"]


class MixedModule:
    """What `gradir.load` makes of an MLIR module that has functions on tensors and functions on memory.

    `tensor` holds the first as a `Module`, `machine` the others as a `NativeModule`; both have all that such modules
    have. What names a function here (`m.grad("f")`, `m["f"]`) goes to the one that has it.
    """

    def __init__(self, tensor: Module, machine: NativeModule) -> None:
        self.tensor = tensor
        self.machine = machine

    @classmethod
    def of(cls, machine: NativeModule, source: str | bytes, name: str) -> MixedModule:
        """From the part that is for the machine level, and the whole program's text."""
        from gradir.frontends.mlir import tensor_part
        from gradir.module import Module
        from gradir.tensor.ir.module import parse

        return cls(Module(parse(tensor_part(source, name), name)), machine)

    @property
    def functions(self) -> dict[str, Any]:
        """What can be called, by name."""
        return {**self.tensor.functions, **dict(self.machine.functions)}

    def part(self, fn: str) -> Module | NativeModule:
        """The part that has a function."""
        if fn in self.tensor.functions:
            return self.tensor
        if fn in self.machine.functions:
            return self.machine
        held = ", ".join(self.functions)
        raise UnknownFunction(f"there is no function {fn}", hint=f"the module holds {held}")

    def __getitem__(self, fn: str) -> Any:
        return self.part(fn).function(fn)

    def run(self, fn: str, *values: Any, **options: Any) -> Any:
        """Call a function: on tensors by a back end, on memory as it is."""
        if self.part(fn) is self.tensor:
            return self.tensor.run(fn, *values, **options)
        return self.machine.function(fn)(*values, **options)

    def grad(self, fn: str, wrt: Any = 0, **options: Any) -> Any:
        """A module with `grad_f` for a function on tensors, a callable for one on memory."""
        return self.part(fn).grad(fn, wrt, **options)

    def value_and_grad(self, fn: str, wrt: Any = 0, **options: Any) -> Any:
        """As `grad`, of value and gradients."""
        return self.part(fn).value_and_grad(fn, wrt, **options)

    def vjp(self, fn: str, wrt: Any = 0, **options: Any) -> Any:
        """As `grad`, of products with cotangents."""
        return self.part(fn).vjp(fn, wrt, **options)

    def jvp(self, fn: str, wrt: Any = 0, **options: Any) -> Any:
        """As `grad`, of products with tangents."""
        return self.part(fn).jvp(fn, wrt, **options)

    def __repr__(self) -> str:
        return f"<gradir.MixedModule: {self.tensor!r}, {self.machine!r}>"
