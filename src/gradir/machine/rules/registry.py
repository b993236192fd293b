"""What a program itself says of its functions and globals: own rules, what carries no derivative, what acts like what.

It says so with globals and attributes of certain names (Enzyme's): from C,

    void* __enzyme_register_gradient_f[]   = {f, augmented, reverse};
    void* __enzyme_register_derivative_f[] = {f, forward};
    void* __enzyme_inactivefn[]            = {log_message};
    void* __enzyme_function_like[]         = {my_log, "log"};
    void* __enzyme_allocation_like[]       = {my_alloc, (void*)0, "-1", my_free};

The names may go on (`__enzyme_inactivefn_2`), so that there can be several. From Python the same is said by adding such
globals (`registration`), and formulas besides.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from gradir.errors import RequestError
from gradir.machine.ir import Function, Global, Module
from gradir.machine.ir.constants import read_constant
from gradir.machine.ir.text.reader import read
from gradir.machine.ir.text.tokens import global_names
from gradir.machine.rules.rule import Rule

__all__ = ["Allocation", "CustomGradient", "Registry", "mentions_rules", "registration", "with_internal_registrations"]


@dataclass(frozen=True)
class CustomGradient:
    """A reverse rule: functions by name.

    `augmented` takes the arguments, each pointer followed by its shadow, and gives the tape; or a struct of the tape,
    the result if there is one, and the result's shadow if it is a pointer. `reverse` takes the same arguments, then the
    cotangent of a float result, then the tape, and gives the cotangents of the floats that are passed by value.
    """

    augmented: str
    reverse: str


@dataclass(frozen=True)
class Allocation:
    """A function that allocates as `malloc` does.

    `size` is the number of the argument that holds the bytes; `free` the function that releases, if there is one, and
    `free_arguments` what that is called with: the numbers of arguments of the allocation, -1 for the memory itself.
    """

    size: int
    free: str | None = None
    free_arguments: tuple[int, ...] = (-1,)


@dataclass
class Registry:
    """Rules and facts by the names of functions and globals.

    >>> registry = Registry()
    >>> registry.register("f", augmented="f_augmented", reverse="f_reverse")
    >>> registry.gradients["f"].reverse
    'f_reverse'
    >>> registry.rules()
    {'f'}
    """

    gradients: dict[str, CustomGradient] = field(default_factory=dict)
    """Reverse rules."""
    derivatives: dict[str, str] = field(default_factory=dict)
    """Forward rules: a function with each argument followed by its tangent or shadow, which gives {result, tangent} or
    the tangent alone, as its type says."""
    split_derivatives: dict[str, tuple[str, str]] = field(default_factory=dict)
    """Forward rules in two steps: the augmented function, and the derivative that takes its tape."""
    inactive: set[str] = field(default_factory=set)
    """Functions that carry no derivative, whatever they are given."""
    inactive_globals: set[str] = field(default_factory=set)
    """Globals that carry no derivative."""
    shadow_globals: dict[str, str] = field(default_factory=dict)
    """The global that holds the shadow of another."""
    function_like: dict[str, str] = field(default_factory=dict)
    """Functions that are differentiated as the named function of the C library is."""
    allocation_like: dict[str, Allocation] = field(default_factory=dict)
    """Functions that allocate."""
    nofree: set[str] = field(default_factory=set)
    """Functions that release no memory."""
    recompute: set[str] = field(default_factory=set)
    """Functions that are better called again in the reverse sweep than have their results kept."""
    formulas: dict[str, Rule] = field(default_factory=dict)
    """Pure functions of numbers whose partial derivatives were given as formulas. Only Python can say this."""

    def register(self, function: str, *, augmented: str, reverse: str) -> None:
        """Give a function a reverse rule."""
        self.gradients[function] = CustomGradient(augmented, reverse)

    def register_forward(self, function: str, derivative: str) -> None:
        """Give a function a forward rule."""
        self.derivatives[function] = derivative

    def rules(self) -> set[str]:
        """The functions that something is said of: their calls must be seen, so they can't be inlined before."""
        return {
            *self.gradients,
            *self.derivatives,
            *self.split_derivatives,
            *self.inactive,
            *self.function_like,
            *self.allocation_like,
            *self.recompute,
            *self.formulas,
        }

    def add(self, other: Registry) -> None:
        """Take over all that another says; it wins where both say something."""
        for name, entries in vars(other).items():
            getattr(self, name).update(entries)

    @classmethod
    def of(cls, module: Module) -> Registry:
        """All that a module says."""
        found = cls()
        for g in list(module.globals.values()):
            for mark, register in _REGISTRATIONS:
                if mark in g.name and g.initializer is not None:
                    register(found, _Entries(module, g))
                    break
            if "!enzyme_" in g.line:
                found._read_global_metadata(module, g)
        for f in module.functions_saying("enzyme_"):
            found._read_function(module, f)
        return found

    def _read_global_metadata(self, module: Module, g: Global) -> None:
        shadow = module.nodes.node(g.metadata.get("enzyme_shadow"))
        for name in shadow.globals if shadow is not None else ():
            self.shadow_globals[g.name] = name
        if "enzyme_inactive" in g.metadata:
            self.inactive_globals.add(g.name)

    def _read_function(self, module: Module, f: Function) -> None:
        for key, names in (("enzyme_inactive", self.inactive), ("enzyme_nofree", self.nofree)):
            if f.has(key) or key in f.metadata:
                names.add(f.name)
        if f.has("enzyme_shouldrecompute"):
            self.recompute.add(f.name)
        for key in ("enzyme_math", "enzyme_function_like", "implements"):
            if like := f.attributes.value(key):
                self.function_like[f.name] = like
                break
        rules = {key: node.globals for key, ref in f.metadata.items() if (node := module.nodes.node(ref)) is not None}
        if rules.get("enzyme_augment") and rules.get("enzyme_gradient"):
            self.register(f.name, augmented=rules["enzyme_augment"][0], reverse=rules["enzyme_gradient"][0])
        if rules.get("enzyme_derivative"):
            self.register_forward(f.name, rules["enzyme_derivative"][0])


class _Entries:
    """The entries of a registration: functions, strings and numbers in an array, a struct or a lone pointer."""

    def __init__(self, module: Module, g: Global) -> None:
        self.module, self.g = module, g
        whole = read_constant(g.value_type, g.initializer or "", module.types)
        self.parts = list(whole.parts) if g.value_type.is_aggregate else [whole]

    def __len__(self) -> int:
        return len(self.parts)

    def names_function(self, i: int) -> bool:
        return i < len(self.parts) and bool(global_names(self.parts[i].text))

    def function(self, i: int) -> str:
        if not self.names_function(i):
            raise RequestError(
                f"entry {i} of @{self.g.name} is not a function",
                hint="registrations are constants: void* name[] = {(void*)f, ...}",
            )
        name = global_names(self.parts[i].text)[0]
        return self.module.aliases.get(name, name)

    def functions(self) -> Iterator[str]:
        for i, part in enumerate(self.parts):
            if part.text != "null":
                yield self.function(i)

    def string(self, i: int) -> str:
        target = self.module.globals.get(self.function(i))
        held = read_constant(target.value_type, target.initializer) if target and target.initializer else None
        if held is None or held.string is None:
            raise RequestError(f"entry {i} of @{self.g.name} is not a string")
        return held.string

    def number(self, i: int) -> int:
        part = self.parts[i]
        number = part.parts[0].integer if part.opcode == "inttoptr" else part.integer
        if number is None:
            raise RequestError(f"entry {i} of @{self.g.name} is not a number")
        return number


def registration(kind: str, functions: Sequence[str], number: int) -> str:
    """A line that says something of functions, as C would: `kind` is `register_gradient`, `inactivefn`, ...

    >>> registration("inactivefn", ["f"], 0)
    '@"__enzyme_inactivefn_gradir.0" = global [1 x ptr] [ptr @"f"]'
    """
    entries = ", ".join(f'ptr @"{name}"' for name in functions)
    return f'@"__enzyme_{kind}_gradir.{number}" = global [{len(functions)} x ptr] [{entries}]'


def mentions_rules(text: str) -> bool:
    """Whether a module may say anything of its functions; if not, there is no need to look closer."""
    return any(mark in text for mark in ("__enzyme_", '"enzyme_', "!enzyme_", '"implements"'))


def with_internal_registrations(text: str) -> str:
    """The module with what it says of its functions hidden from the linker, so that two such modules can be linked."""
    module = read(text)
    for g in module.variables:
        if "__enzyme_" in g.name and g.parts.kind in ("global", "constant") and g.initializer is not None:
            g.parts.words = ["internal"]
            g.parts.trailing.pop("comdat", None)
    return str(module)


def _gradient(registry: Registry, entries: _Entries) -> None:
    registry.register(entries.function(0), augmented=entries.function(1), reverse=entries.function(2))


def _derivative(registry: Registry, entries: _Entries) -> None:
    registry.register_forward(entries.function(0), entries.function(1))


def _split_derivative(registry: Registry, entries: _Entries) -> None:
    registry.split_derivatives[entries.function(0)] = entries.function(1), entries.function(2)


def _inactive(registry: Registry, entries: _Entries) -> None:
    registry.inactive.update(entries.functions())


def _inactive_global(registry: Registry, entries: _Entries) -> None:
    registry.inactive_globals.update(entries.functions())


def _shadow_global(registry: Registry, entries: _Entries) -> None:
    registry.shadow_globals[entries.function(0)] = entries.function(1)


def _function_like(registry: Registry, entries: _Entries) -> None:
    registry.function_like[entries.function(0)] = entries.string(1)


def _allocation_like(registry: Registry, entries: _Entries) -> None:
    numbers = _numbers(entries.string(2)) if entries.names_function(2) else (-1,)
    free = entries.function(3) if entries.names_function(3) else None
    registry.allocation_like[entries.function(0)] = Allocation(entries.number(1), free, numbers)


def _numbers(text: str) -> tuple[int, ...]:
    """The numbers in a string, with anything between them."""
    spaced = "".join(c if c.isdigit() or c == "-" else " " for c in text)
    return tuple(int(word) for word in spaced.split())


def _nofree(registry: Registry, entries: _Entries) -> None:
    registry.nofree.update(entries.functions())


def _recompute(registry: Registry, entries: _Entries) -> None:
    registry.recompute.update(entries.functions())


_REGISTRATIONS = (
    ("__enzyme_register_gradient", _gradient),
    ("__enzyme_register_derivative", _derivative),
    ("__enzyme_register_splitderivative", _split_derivative),
    ("__enzyme_inactivefn", _inactive),
    ("__enzyme_inactive_global", _inactive_global),
    ("__enzyme_shadow_global", _shadow_global),
    ("__enzyme_function_like", _function_like),
    ("__enzyme_allocation_like", _allocation_like),
    ("__enzyme_nofree", _nofree),
    ("__enzyme_shouldrecompute", _recompute),
)
