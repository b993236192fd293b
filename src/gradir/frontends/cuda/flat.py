"""Kernels without address spaces: what is differentiated, once for the device and the emulator.

A compiler for NVPTX puts shared memory into address space 3, constants into 4, and takes a generic address of each at
once. The derivative needs only that: *flat* code has plain globals in their place. Afterwards `for_device` puts shared
memory back where it was, and LLVM finds out by itself which accesses go there; `for_host` calls the emulator instead of
NVPTX's intrinsics.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, replace

from gradir.errors import NoRule, RequestError
from gradir.machine.ir import Constant, Function, Global, Instruction, Module, Value, array
from gradir.machine.ir.constants import read_constant
from gradir.machine.ir.text.reader import extend, read
from gradir.machine.passes import strip

__all__ = ["NVVM", "Flat", "flatten", "for_blocks", "for_device", "for_host"]

NVVM = "llvm.nvvm."
SHUFFLE = "__gradir_shfl_"
"""Of the header's functions that have rules: their names go on with `_augmented`, `_reverse` and `_forward`."""
_SHARED, _CONSTANT = "addrspace(3)", "addrspace(4)"


@dataclass(frozen=True)
class Flat:
    """A module of kernels without address spaces."""

    text: str
    kernels: tuple[str, ...]
    """Their symbols."""
    shared: dict[str, int]
    """The variables that the threads of a block share, and their sizes in bytes; 0 if the launch says it."""
    constants: frozenset[str]
    """The variables that the host sets: `__constant__`."""
    variables: frozenset[str]
    """Those that all threads share: `__device__`."""


    @property
    def is_sized(self) -> bool:
        """Whether all sizes are known."""
        return all(self.shared.values())

    def sized(self, bytes: int) -> Flat:
        """The same, for a launch that gives so many bytes of shared memory."""
        if self.is_sized:
            return self
        module = read(self.text)
        for name in (name for name, size in self.shared.items() if not size):
            variable = module.globals[name]
            if bytes < variable.value_type.element.size:
                raise RequestError(
                    f"{variable.ref} is shared memory of a size that a launch says (extern __shared__), here {bytes}",
                    hint="launch it by f[grid, block, stream, bytes](…); a stream of 0 is the default one",
                )
            variable.parts.type = array(bytes // variable.value_type.element.size, variable.value_type.element)
        shared = {name: size or bytes for name, size in self.shared.items()}
        return replace(self, text=str(module), shared=shared)


def flatten(text: str) -> Flat:
    """Read what a compiler made for NVPTX."""
    module = read(text)
    strip.run(module)
    module.preamble[:] = [line for line in module.preamble if not line.startswith("target ")]
    for name in ("llvm.used", "llvm.compiler.used"):
        if name in module.globals:
            module.remove(name)
    spaces = {g.name: _space(g) for g in module.variables if g.parts.kind in ("global", "constant")}
    shared = {}
    for name, space in spaces.items():
        variable = module.globals[name]
        if space == _SHARED:
            shared[name] = _shared(variable)
        elif space == _CONSTANT:
            variable.parts.kind = "global"
    kernels = [f for f in module.definitions if "ptx_kernel" in f.signature.words]
    for kernel in kernels:
        kernel.signature.words.remove("ptx_kernel")
    for function in module.definitions:
        _inline(function, kernels)
        for i in list(function.instructions()):
            _make_generic(i, module)
    return Flat(
        str(module),
        tuple(f.name for f in kernels),
        shared,
        frozenset(name for name, space in spaces.items() if space == _CONSTANT),
        frozenset(name for name, space in spaces.items() if space == "addrspace(1)" and _is_variable(module, name)),
    )


def _space(variable: Global) -> str:
    """The address space of a variable, which it leaves."""
    found = next((word for word in variable.parts.words if word.startswith("addrspace")), "")
    variable.parts.words = [word for word in variable.parts.words if not word.startswith("addrspace")]
    return found or variable.parts.trailing.pop("addrspace", "")


def _is_variable(module: Module, name: str) -> bool:
    variable = module.globals[name]
    return variable.initializer is not None and not variable.constant


def _shared(variable: Global) -> int:
    """Its size. Shared memory belongs to all threads: LLVM must not take it for the memory of one."""
    variable.parts.words, variable.parts.initializer = ["external"], None
    return variable.value_type.size


def _inline(function: Function, kernels: Collection[Function]) -> None:
    """What a kernel calls becomes a part of it, so that its derivative needs no tape between functions."""
    if function in kernels:
        function.attributes.remove("noinline")
    elif not function.name.startswith(SHUFFLE) and not function.has("noinline"):
        function.attributes.add("alwaysinline")
        function.attributes.remove("optnone")


def _make_generic(i: Instruction, module: Module) -> None:
    """Addresses of variables without casts from their address spaces."""
    if i.opcode == "addrspacecast":
        i.erase(i.operands[0])
        return
    for k, operand in enumerate(i.operands):
        if isinstance(operand, Constant) and "addrspacecast" in operand.ref:
            address = read_constant(operand.type, operand.ref, module.types).address
            if address is None:
                raise NoRule(f"an address that is not understood: {operand.ref}", location=module.location(i))
            i.set_operand(k, _address(module.globals[address.name], address.offset))


def _address(variable: Global, offset: int) -> Value:
    if not offset:
        return variable
    return Constant(variable.type, f"getelementptr (i8, ptr {variable.ref}, i64 {offset})", (variable.name,))


def for_blocks(text: str, sizes: tuple[int, int, int]) -> str:
    """The same code, of blocks of one size."""
    module = read(text)
    known = {f"{NVVM}read.ptx.sreg.ntid.{axis}": size for axis, size in zip("xyz", sizes, strict=True)}
    for function in module.definitions:
        for i in list(function.instructions()):
            if (i.callee_name or "") in known:
                i.erase(Constant(i.type, str(known[i.callee_name or ""])))
    return str(module)


# -- Back ------------------------------------------------------------------------------------------------------------


def for_device(text: str, shared: Collection[str], kernels: Collection[str]) -> str:
    """Code for NVPTX, whose kernels a host can launch: shared memory is where it belongs."""
    module = read(text)
    module.preamble[:] = [line for line in module.preamble if not line.startswith("target ")]
    for function in module.definitions:
        function.attributes.add("convergent")
        if function.name in kernels:
            function.signature.words.append("ptx_kernel")
        for i, k, operand in _operands_naming(function, shared):
            i.set_operand(k, _renamed(operand, lambda ref: f"addrspacecast (ptr {_SHARED} {ref} to ptr)"))
    for name in shared:
        parts = module.globals[name].parts
        parts.words, parts.initializer = ["internal", _SHARED], "undef"
    return str(module)


def for_host(text: str, emulator: str, shared: Collection[str]) -> str:
    """Code for this machine, whose threads the emulator runs."""
    module = read(text)
    module.preamble[:] = [line for line in module.preamble if not line.startswith("target ")]
    own = read(emulator)
    for function in module.definitions:
        for i in function.instructions():
            name = i.callee_name or ""
            if not name.startswith(NVVM):
                continue
            stand_in = f"gradir.{name.removeprefix('llvm.')}"
            if stand_in not in own.functions:
                raise NoRule(f"@{name} is not emulated", location=module.location(i), hint="run it on a GPU")
            i.set_operand(i.operands.index(i.callee), own.globals[stand_in])
    for name in [name for name in module.functions if name.startswith(NVVM)]:
        module.remove(name)
    for name in shared:
        parts = module.globals[name].parts
        parts.words, parts.initializer = [], "zeroinitializer"
    extend(module, emulator)
    return str(module)


def _operands_naming(function: Function, names: Collection[str]) -> Iterator[tuple[Instruction, int, Value]]:
    for i in list(function.instructions()):
        for k, operand in enumerate(list(i.operands)):
            mentioned = operand.globals if isinstance(operand, Constant) else (getattr(operand, "name", ""),)
            if isinstance(operand, (Global, Constant)) and any(name in names for name in mentioned):
                yield i, k, operand


def _renamed(operand: Value, spelled: Callable[[str], str]) -> Value:
    """An address in terms of another spelling of its variable."""
    if isinstance(operand, Global):
        return Constant(operand.type, spelled(operand.ref), (operand.name,))
    assert isinstance(operand, Constant)
    found = read_constant(operand.type, operand.ref).address
    assert found is not None, operand.ref
    base = spelled(f'@"{found.name}"')
    text = f"getelementptr (i8, ptr {base}, i64 {found.offset})" if found.offset else base
    return Constant(operand.type, text, (found.name,))
