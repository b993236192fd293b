"""LLVM itself, through llvmlite: read, link, verify, optimise before and after differentiating, and write.

Nothing else in gradir touches llvmlite, except `jit`. A module is llvmlite's `ModuleRef`; the transforms don't work on
it but on `ir.Module`, which is what `normalise` makes of it.
"""

from __future__ import annotations

import subprocess
import sys
import threading
import weakref
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, partial
from time import perf_counter
from typing import Any, TypeGuard

from llvmlite import binding

from gradir.errors import InputError, UnknownTarget
from gradir.machine import ir
from gradir.machine.ir.collector import seldom_collected
from gradir.machine.ir.layout import DataLayout
from gradir.machine.ir.text.debuginfo import drop_debug_info, has_debug_info
from gradir.machine.ir.text.newer_floats import with_older_floats
from gradir.machine.ir.text.outdated import with_constants_computed
from gradir.machine.ir.text.reader import read
from gradir.machine.passes import strip, x86
from gradir.machine.passes.flow import aliases, allocators, computed_jumps, jumps, reducible, relative_tables
from gradir.machine.passes.languages import objects, texts, variadic
from gradir.machine.passes.loops import unrolling
from gradir.machine.passes.parallel import tasks, teams, updates
from gradir.machine.passes.parallel import threads as own_threads
from gradir.machine.passes.words import bit_fields, mixed_results, packed, torn, wide
from gradir.machine.rules import library, mpi
from gradir.machine.rules.texts import is_member

__all__ = [
    "HOST",
    "Module",
    "Phases",
    "Target",
    "bitcode",
    "canonical_text",
    "clone",
    "defined_functions",
    "drop_unused",
    "emit_assembly",
    "emit_object",
    "extract",
    "hide",
    "imports",
    "internalise",
    "link",
    "normalise",
    "optimise",
    "parse",
    "phase",
    "prepare",
    "run_pass",
    "target_machine",
    "verify",
    "without_debug_info",
]

Module = Any
"""llvmlite's `ModuleRef`."""

Phases = dict[str, float]
"""How long each step took, in seconds: filled by what is given one."""

INLINE_THRESHOLD = 3000
"""Above LLVM's own 225: a derivative of one function is better than a chain of derivatives with tapes between.

llvmlite hands on the lowest eight bits only, so that LLVM sees 184; it still inlines what is called once.
"""

_BITCODE_MAGICS = (b"BC\xc0\xde", b"\xde\xc0\x17\x0b")


@contextmanager
def phase(phases: Phases | None, name: str) -> Iterator[None]:
    """Add the time that a block takes to `phases[name]`."""
    start = perf_counter()
    try:
        yield
    finally:
        if phases is not None:
            phases[name] = phases.get(name, 0.0) + perf_counter() - start


# -- Reading ---------------------------------------------------------------------------------------------------------


def parse(source: str | bytes, name: str = "<module>", *, untrusted: bool = False) -> Module:
    """Read LLVM IR as text or bitcode, of LLVM 15 to 22, and text of LLVM 23.

    LLVM may abort the process that reads a damaged file, so what is `untrusted` (not fresh from a compiler, nor written
    by gradir) is first read by a process of its own.

    >>> [f.name for f in parse("define void @f() { ret void }").functions]
    ['f']
    """
    try:
        return _parse(source, name, untrusted)
    except InputError as error:
        respell = next((by for message, by in _OF_OTHER_LLVMS.items() if message in error.message), None)
        if _is_bitcode(source) or respell is None or (text := respell(_decoded(source, name))) == source:
            raise
        return _parse(text, name, untrusted)


_OF_OTHER_LLVMS = {
    "constexprs are no longer supported": with_constants_computed,
    "floating point constant invalid for type": with_older_floats,
    "expected value token": with_older_floats,
}
"""What LLVM says of constants that older or newer ones write, and what spells those as it reads them."""


def _parse(source: str | bytes, name: str, untrusted: bool) -> Module:
    if untrusted:
        _try_to_parse(source, name)
    if _is_bitcode(source):
        module = _parse_bitcode(source, name, _CONTEXTS.new())
    else:
        if has_debug_info(text := _decoded(source, name)):
            # LLVM aborts on invalid code with debug info, and complains politely of the same code without.
            verify(without_debug_info(text, name), name)
        module = _parse_text(text, name, _CONTEXTS.new())
    verify(module, name)
    _check_layout(module, name)
    return module


def _check_layout(module: Module, name: str) -> None:
    """Refuse a module for a machine whose memory is laid out in another way than ours."""
    layout = module.data_layout or _layout_of(module.triple)
    DataLayout.read(layout).check(name, partial(_mentions, module))


def _mentions(module: Module, type: str) -> bool:
    return any(type in line for line in str(module).split("\n") if not line.startswith("target "))


@cache
def _layout_of(triple: str) -> str:
    """The data layout of a target; that of this machine without a triple, or with one that LLVM doesn't know."""
    try:
        return str(target_machine(Target(triple)).target_data)
    except InputError:
        return str(target_machine().target_data)


def without_debug_info(text: str, name: str = "<module>") -> Module:
    """Read a module and drop its debug info: for code that nobody will step through."""
    return _parse_text(drop_debug_info(text), name, _CONTEXTS.new())


def _is_bitcode(source: str | bytes) -> TypeGuard[bytes]:
    return isinstance(source, bytes) and source.startswith(_BITCODE_MAGICS)


_TRY = """
import sys
from llvmlite import binding
content = sys.stdin.buffer.read()
(binding.parse_bitcode(content) if sys.argv[1] == "bitcode" else binding.parse_assembly(content.decode())).verify()
"""


def _try_to_parse(source: str | bytes, name: str) -> None:
    form = "bitcode" if _is_bitcode(source) else "text"
    content = source.encode() if isinstance(source, str) else source
    child = subprocess.run([sys.executable, "-c", _TRY, form], input=content, capture_output=True, check=False)
    if child.returncode < 0:
        raise InputError(
            "LLVM can't read it and gives up",
            location=name,
            hint=f"the file is damaged, or of an LLVM newer than {binding.llvm_version_info[0]}",
        )


def _decoded(source: str | bytes, name: str) -> str:
    try:
        text = source.decode() if isinstance(source, bytes) else source
    except UnicodeDecodeError:
        text = "\0"
    if "\0" in text:
        raise InputError("neither LLVM text nor LLVM bitcode", location=name)
    return text


class _Contexts:
    """LLVM's contexts, each of which must be disposed of after all modules in it.

    Modules and contexts may become garbage in one cycle (as locals of a traceback, say), where Python would dispose of
    them in any order. So a context is held here while a module of it is there, and then until the next one is made.
    """

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._modules: Counter[Any] = Counter()
        self._left: list[Any] = []

    def new(self) -> Any:
        with self._lock:
            left, self._left = self._left, []
        for context in left:
            context.close()
        return binding.create_context()

    def hold(self, module: Module, context: Any) -> Module:
        with self._lock:
            self._modules[context] += 1
        weakref.finalize(module, self._leave, context).atexit = False
        return module

    def _leave(self, context: Any) -> None:
        with self._lock:
            self._modules[context] -= 1
            if not self._modules[context]:
                del self._modules[context]
                self._left.append(context)


_CONTEXTS = _Contexts()


def _parse_text(text: str, name: str, context: Any) -> Module:
    try:
        return _CONTEXTS.hold(binding.parse_assembly(text, context), context)
    except RuntimeError as error:
        raise _syntax_error(str(error), name) from None


def _syntax_error(message: str, name: str) -> InputError:
    lines = message.removeprefix("LLVM IR parsing error\n").removeprefix("<string>:").strip().splitlines()
    place, said, what = lines[0].partition(": error: ") if lines else ("", "", "")
    if not said:
        return InputError(f"LLVM can't read it: {' '.join(lines)}", location=name)
    return InputError(f"LLVM can't read it: {what}", location=f"{name}:{place}")


def _parse_bitcode(source: bytes, name: str, context: Any) -> Module:
    try:
        return _CONTEXTS.hold(binding.parse_bitcode(source, context), context)
    except RuntimeError as error:
        message = str(error).splitlines()[-1]
        hint = f"the file is damaged, or of an LLVM newer than {binding.llvm_version_info[0]}"
        if "unsupported constant expression" in message:
            hint = "write it as text (-S -emit-llvm): such constants are computed when that is read"
        raise InputError(f"LLVM can't read it: {message}", location=name, hint=hint) from None


def verify(module: Module, name: str = "<module>") -> None:
    """Let LLVM's verifier look at a module."""
    try:
        module.verify()
    except RuntimeError as error:
        raise InputError(f"not valid LLVM IR: {str(error).strip()}", location=name) from None


def clone(module: Module) -> Module:
    """A copy in a context of its own."""
    return parse(bitcode(module))


def link(modules: Iterable[Module | bytes]) -> Module:
    """One module of many: declarations of one are bound to definitions of the other. A library may come as bitcode.

    >>> a = parse("declare i32 @g()  define i32 @f() { %x = call i32 @g()  ret i32 %x }")
    >>> b = parse("define i32 @g() { ret i32 7 }")
    >>> sorted(defined_functions(link([a, b])))
    ['f', 'g']
    """
    parts = [module if isinstance(module, bytes) else bitcode(module) for module in modules]
    if not parts:
        raise InputError("there is nothing to link")
    context = _CONTEXTS.new()  # modules can be linked only within one
    linked = _CONTEXTS.hold(binding.parse_bitcode(parts[0], context), context)
    for part in parts[1:]:
        module = _CONTEXTS.hold(binding.parse_bitcode(part, context), context)
        # Compilers of one machine differ in how they spell it, which LLVM would warn about.
        module.triple, module.data_layout = linked.triple, linked.data_layout
        try:
            linked.link_in(module)
        except RuntimeError as error:
            raise InputError(f"can't link the sources: {str(error).strip() or 'a symbol is defined twice'}") from None
    return linked


def defined_functions(module: Module) -> list[str]:
    """The names of the functions that have a body."""
    return [f.name for f in module.functions if not f.is_declaration]


def imports(module: Module) -> list[str]:
    """The names that a module needs from elsewhere."""
    values = [*module.functions, *module.global_variables]
    return sorted(v.name for v in values if v.is_declaration and not v.name.startswith("llvm."))


def extract(module: Module, names: Collection[str]) -> None:
    """Leave only some functions and variables of a module, and what they need, in place."""
    internalise(module, names)
    drop_unused(module)


def drop_unused(module: Module) -> None:
    """Take out what nobody uses and nobody outside can name, in place."""
    builder = binding.create_pass_builder(target_machine(), binding.create_pipeline_tuning_options(0))
    _run_passes(module, ["global_dead_code_eliminate", "strip_dead_prototype"], builder)


def hide(module: Module, names: Collection[str]) -> None:
    """Make functions and variables internal: nobody outside can name them."""
    for value in (*module.functions, *module.global_variables):
        if value.name in names and not value.is_declaration:
            _make_internal(value)


# -- Target machines -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Target:
    """The machine that code is made for. Without a triple, this one; without a cpu, any of the kind."""

    triple: str = ""
    cpu: str = ""
    features: str = ""

    @property
    def is_host(self) -> bool:
        return not self.triple


_initialised = threading.Lock()


@cache
def _initialise() -> None:
    with _initialised:
        binding.initialize_all_targets()
        binding.initialize_all_asmprinters()
        binding.initialize_native_asmparser()


@cache
def _host() -> Target:
    _initialise()
    return Target("", binding.get_host_cpu_name(), binding.get_host_cpu_features().flatten())


HOST = Target()
"""This machine, with all that its CPU can do."""


def target_machine(target: Target = HOST, level: int = 3) -> Any:
    """LLVM's `TargetMachine`. The code can be put at any address, so that one object serves the JIT and the linker."""
    _initialise()
    triple = target.triple or binding.get_process_triple()
    if target.is_host and not target.cpu:
        target = _host()
    try:
        found = binding.Target.from_triple(triple)
    except RuntimeError as error:
        hint = "triples look like aarch64-linux-gnu"
        raise UnknownTarget(f"no such target: {str(error).strip()}", hint=hint) from None
    return found.create_target_machine(target.cpu, target.features, level, reloc="pic", codemodel="default")


def _set_target(module: Module, target: Target, machine: Any) -> None:
    layout = str(machine.target_data)
    # Which pointers are no integers is the program's to say, not the machine's.
    not_integral = [s for s in module.data_layout.split("-") if s.startswith("ni:") and s not in layout]
    wanted = "-".join([layout, *not_integral])
    if module.data_layout != wanted:  # else it is that machine's own code, with types that LLVM chose for it
        DataLayout.read(layout).check(target.triple or "this machine", partial(_mentions, module))
    module.triple = target.triple or binding.get_process_triple()
    module.data_layout = wanted


# -- Before differentiating ------------------------------------------------------------------------------------------


@seldom_collected()
def normalise(
    module: Module,
    keep: Collection[str] | None = None,
    *,
    optimise: bool = True,
    noalias: Collection[str] = (),
    inline_threshold: int = INLINE_THRESHOLD,
    target: Target = HOST,
    threads: bool = True,
    beside: bool = False,
    unroll: Collection[str] = (),
    phases: Phases | None = None,
) -> ir.Module:
    """The module in the shape that derivatives are made from.

    Functions in `keep` stay callable, all others are internal, and gone where nothing needs them (with None, linkage
    stays as it is). It is inlined, promoted to registers and simplified by LLVM's O2 without vectorising, unrolling and
    loop idioms; every function has one return, loops have one entry and are rotated, in simplified and loop-closed
    form, and every value and block has a name. With `optimise` False the code stays as the front end wrote it, in that
    same form. What the pointer parameters of the functions in `noalias` point to doesn't overlap, and the caller
    vouches for it. Without `threads`, parallel regions are run by the thread that comes to them. With `beside`, threads
    that the program makes run beside each other where that is understood, else each where it is made. Loops of a few
    rounds in the functions of `unroll` are written out.

    Text crosses LLVM's border twice each way: once to take back what a front end said, and once to hand the module to
    the derivatives. Only calls that are kept apart at first, what the library adds and loops with several entries cost
    more.
    """
    with phase(phases, "normalise"):
        source = _with_library(_without_unreachable(module, keep), beside)
        strip.run(source)
        aliases.run(source, keep)
        x86.run(source)
        allocators.run(source)
        if keep is not None:  # whoever else calls the others passes their arguments as he knows
            variadic.run(source)
        computed_jumps.run(source)
        updates.run(source)
        tasks.run(source)
        teams.gather(source)
        jumps.connect(source)
        jumps.inline_leaps(source)
        for function in filter(None, map(source.functions.get, noalias)):
            strip.vouch(function)
        texts.close(source)
        if optimise:
            strip.stop_idioms(source)
        apart = optimise and strip.stop_inlining(source)
        pipeline = _Pipeline(target_machine(target), optimise, inline_threshold)
        shaped = reparsed(str(source))
        _set_target(shaped, target, pipeline.machine)
        if keep is not None:
            internalise(shaped, keep)
        made = pipeline.run(shaped, apart, unroll)
        if keep is not None:
            texts.open_again(made)
        if threads:
            teams.fork(made)
        return own_threads.start(made)


def canonical_text(module: Module | ir.Module) -> str:
    """The text of a module, as derivatives are made from it."""
    return str(module)


class _Pipeline:
    """LLVM's passes and ours, in turns."""

    def __init__(self, machine: Any, optimise: bool, inline_threshold: int) -> None:
        self.machine, self.optimise, self.inline_threshold = machine, optimise, inline_threshold

    def run(self, module: Module, apart: bool, unroll: Collection[str]) -> ir.Module:
        """The shape for derivatives. `apart` says that calls were kept from being inlined.

        They are at first: a call that depends on nothing in a loop can leave it, its inlined loop could not.
        """
        if not self.optimise and any(f.name in own_threads.FORMS for f in module.functions):
            self._pass(module, "always_inliner")  # a thread's handle is known as what it is in one function only
        self._optimise(module)
        if self.optimise and any(map(teams.is_team, (f.name for f in module.functions))):
            self._pass(module, "argument_promotion")
        if apart:
            shaped = read(str(module))
            strip.allow_inlining(shaped)
            packed.inline_packed(shaped)
            module = reparsed(str(shaped))
        if self.optimise:
            _unroll_byte_loops(module, self._builder())
        self._optimise(module)
        if self.optimise and jumps.may_be_in(f.name for f in module.functions):
            module = self._with_branches(module)
        self._pass(module, *_canonical_passes(self.optimise))
        if unroll and self.optimise:
            module = self._unrolled(module, unroll)
        shaped = read(str(module))
        strip.allow_idioms(shaped)
        packed.load_parts(shaped)
        mixed_results.run(shaped)
        wide.run(shaped)
        torn.run(shaped)
        packed.take_lanes(shaped)
        bit_fields.run(shaped)
        relative_tables.run(shaped)
        if reducible.irreducible_functions(shaped):
            shaped = self._with_single_entries(shaped)
        strip.leave_groups(shaped)
        return shaped

    def _unrolled(self, module: Module, functions: Collection[str]) -> Module:
        """Loops of a few rounds are written out, and then those around them."""
        for _ in range(_MOST_NESTED):
            shaped = read(str(module))
            marked = [name for name in functions if unrolling.mark(shaped, name, _MOST_ROUNDS, _MOST_UNROLLED)]
            if not marked:
                break
            module = reparsed(str(shaped))
            passes = binding.create_new_function_pass_manager()
            passes.add_loop_unroll_pass()
            for name in marked:
                passes.run(module.get_function(name), self._builder())
            shaped = read(str(module))
            strip.drop_loop_hints(shaped)
            module = reparsed(str(shaped))
            self._optimise(module)
            self._pass(module, *_canonical_passes(self.optimise))
        return module

    def _with_branches(self, module: Module) -> Module:
        """What jumped back from callees that are inlined now branches."""
        shaped = read(str(module))
        if not jumps.connect(shaped):
            return module
        module = reparsed(str(shaped))
        self._optimise(module)
        return module

    def _with_single_entries(self, shaped: ir.Module) -> ir.Module:
        """Loops that are entered at several places have one entry. Passes that thread jumps would undo it."""
        module = reparsed(str(shaped))
        self._pass(module, "register_to_memory", "instruction_namer")
        shaped = read(str(module))
        reducible.run(shaped)
        module = reparsed(str(shaped))
        self._pass(module, *(["sroa"] if self.optimise else []), *_canonical_passes(self.optimise))
        return read(str(module))

    def _optimise(self, module: Module) -> None:
        if self.optimise:
            builder = self._builder()
            builder.getModulePassManager().run(module, builder)

    def _pass(self, module: Module, *names: str) -> None:
        _run_passes(module, names, self._builder())

    def _builder(self) -> Any:
        tuning = binding.create_pipeline_tuning_options(2)
        tuning.loop_vectorization = tuning.slp_vectorization = False
        tuning.loop_unrolling = tuning.loop_interleaving = False
        tuning.inlining_threshold = self.inline_threshold
        return binding.create_pass_builder(self.machine, tuning)


def _unroll_byte_loops(module: Module, builder: Any) -> None:
    """Short loops over the bytes of something are written out, so that LLVM sees what the bytes add up to."""
    passes = binding.create_new_function_pass_manager()
    passes.add_loop_simplify_pass()
    passes.add_loop_unroll_pass()
    for function in module.functions:
        if not function.is_declaration and any(_is_byte_loop(block) for block in function.blocks):
            passes.run(function, builder)


_BYTES = ("i8", "i16")
_MOST_BYTES = 64
_MOST_ROUNDS, _MOST_UNROLLED, _MOST_NESTED = 32, 500, 3
"""Of loops that are written out: rounds, instructions of all of them, loops inside each other."""


def _is_byte_loop(block: Any) -> bool:
    """Whether a block that is a loop by itself loads or stores bytes, a few times."""
    *body, end = block.instructions
    if end.opcode != "br" or not body:
        return False
    goes_round = block.name in (o.name for o in end.operands)
    accessed = [i if i.opcode == "load" else next(iter(i.operands)) for i in body if i.opcode in ("load", "store")]
    if not goes_round or not any(str(v.type) in _BYTES for v in accessed):
        return False
    bounds = [o.get_constant_value() for i in body if i.opcode == "icmp" for o in i.operands if o.is_constant]
    return any(isinstance(b, int) and b <= _MOST_BYTES for b in bounds)


def _canonical_passes(optimise: bool) -> list[str]:
    rotated = ["loop_rotate", "loop_simplify"] if optimise else []
    dead = ["global_dead_code_eliminate", "strip_dead_prototype"]
    return [*dead, "unify_function_exit_nodes", "loop_simplify", *rotated, "lcssa", "instruction_namer"]


def _run_passes(module: Module, names: Iterable[str], builder: Any) -> None:
    """Run passes of LLVM's by their names in llvmlite."""
    passes = binding.create_new_module_pass_manager()
    for name in names:
        getattr(passes, f"add_{name}_pass")()
    passes.run(module, builder)


def run_pass(module: Module, name: str) -> None:
    """Run one pass of LLVM's, by its name in llvmlite, in place."""
    tuning = binding.create_pipeline_tuning_options(2)
    _run_passes(module, [name], binding.create_pass_builder(target_machine(), tuning))


def _without_unreachable(module: Module, keep: Collection[str] | None) -> Module:
    """Only what the functions in `keep` need: nothing else is worth the time."""
    if keep is None:
        return module
    cut = module.clone()
    extract(cut, keep)
    return cut


def _with_library(module: Module, beside: bool = False) -> ir.Module:
    """With the bodies and derivatives that gradir has for functions which the module only declares."""
    source = read(str(module))
    if own_threads.return_for_exit(source):
        module = reparsed(str(source))
    wanted = library.wanted(source)
    if own_threads.waits_in_loop(source) is not None:
        wanted = [f for f in wanted if not library.makes_threads(f)]
    if not wanted:
        return source
    but = own_threads.FORMS if beside and own_threads.fits(source) else {}
    texts = library.texts_for(wanted, source, but)
    linked = read(str(link([module, *(parse(text, "<library>") for text in texts)])))
    return read(str(linked)) if objects.run(linked) else linked


def reparsed(text: str) -> Module:
    return _parse_text(text, "<module>", _CONTEXTS.new())


def prepare(module: Module, keep: Collection[str] | None = None, *, target: Target = HOST) -> Module:
    """A new module with what a front end said for another CPU and another use taken back, else as it was."""
    source = read(str(_without_unreachable(module, keep)))
    strip.run(source)
    aliases.run(source, keep)
    prepared = reparsed(str(source))
    _set_target(prepared, target, target_machine(target))
    if keep is not None:
        internalise(prepared, keep)
    return prepared


def internalise(module: Module, keep: Collection[str]) -> None:
    """Make everything internal but what is in `keep`. Enzyme's registrations are read from the outside."""
    for function in module.functions:
        apart = function.linkage == _LINKONCE and is_member(function.name)
        if not function.is_declaration and function.name not in keep and not apart:
            _make_internal(function)
    for variable in module.global_variables:
        name = variable.name
        kept = name in keep or name.startswith(("llvm.", "__enzyme", "enzyme_")) or name in mpi.COMMON_BLOCKS
        if not variable.is_declaration and not kept:
            _make_internal(variable)
        elif name in keep and variable.linkage in (_INTERNAL, _PRIVATE):  # others are to name it
            variable.linkage = "external"


_INTERNAL, _PRIVATE = binding.Linkage.internal, binding.Linkage.private
_LINKONCE = binding.Linkage.linkonce_any


def _make_internal(value: Any) -> None:
    value.visibility = "default"
    value.linkage = "internal"


# -- After differentiating -------------------------------------------------------------------------------------------


def optimise(
    module: Module,
    *,
    target: Target = HOST,
    level: int = 3,
    phases: Phases | None = None,
) -> Module:
    """Run LLVM's whole pipeline on a module, in place: with vectorising and unrolling, for a target."""
    with phase(phases, "optimise"):
        machine = target_machine(target, level)
        _set_target(module, target, machine)
        tuning = binding.create_pipeline_tuning_options(level)
        tuning.loop_unrolling = level > 1
        tuning.slp_vectorization = level > 1 and not _adds_to_neighbours(module)
        tuning.loop_vectorization = tuning.loop_interleaving = level > 1 and not _grows_stack(module)
        builder = binding.create_pass_builder(machine, tuning)
        builder.getModulePassManager().run(module, builder)
    return module


def _grows_stack(module: Module) -> bool:
    """Whether variables may be made in loops, which LLVM 22's vectoriser takes for one variable in several rounds."""
    later = (block for f in module.functions for n, block in enumerate(f.blocks) if n)
    return any(i.opcode == "alloca" for block in later for i in block.instructions)


def _adds_to_neighbours(module: Module) -> bool:
    """Whether turns of a loop that a thread has for itself add to shadows of the same elements one by one: a load of
    the next turn would wait for pairs of them that were stored as vectors (`transform/parallel/teams.py`)."""
    return any(f.name.startswith("gradir.add.") for f in module.functions)


# -- Writing ---------------------------------------------------------------------------------------------------------


def bitcode(module: Module) -> bytes:
    return module.as_bitcode()


def emit_object(module: Module, *, target: Target = HOST, level: int = 3, phases: Phases | None = None) -> bytes:
    """An object file. The module is left as it is (LLVM's code generator would change it)."""
    with phase(phases, "emit"):
        machine = target_machine(target, level)
        copy = module.clone()
        _set_target(copy, target, machine)
        return machine.emit_object(copy)


def emit_assembly(module: Module, *, target: Target = HOST, level: int = 3) -> str:
    """The assembly of a module."""
    machine = target_machine(target, level)
    copy = module.clone()
    _set_target(copy, target, machine)
    return machine.emit_assembly(copy)
