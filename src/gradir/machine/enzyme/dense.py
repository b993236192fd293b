"""`__enzyme_todense(load, store, more...)`: memory whose words are read and written by functions.

The pointer that it gives is passed to derivatives as a shadow: of a matrix of mostly zeros only what is written is
kept, and a unit vector needs no memory at all. When all derivatives are made, what takes the pointer is inlined, and
each access becomes a call: `load(bytes, more...)`, `store(value, bytes, more...)`, with the distance from the start.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from gradir.errors import RequestError
from gradir.machine import llvm
from gradir.machine.enzyme.names import Hook, hook_of
from gradir.machine.ir import I64, PTR, VOID, Constant, Function, Global, Instruction, Module, Type, Value
from gradir.machine.ir.builder import Code, Expr
from gradir.machine.ir.instructions import call, located
from gradir.machine.ir.text.reader import extend, read
from gradir.machine.ir.text.tokens import without_words

__all__ = ["run"]

_BASE = 1 << 62
"""Where the memory begins: no address that there is."""
_MOST_DEEP = 64
"""Calls inside each other that are inlined."""
_MOVES = frozenset({"getelementptr", "bitcast", "freeze", "phi", "select"})
_LOOKS = frozenset({"icmp", "ptrtoint"})
_FILLS = ("llvm.memset.", "llvm.memcpy.", "llvm.memmove.")
_HINTS = ("llvm.lifetime.", "llvm.assume", "llvm.invariant.", "llvm.experimental.noalias.")


def run(module: Module, name: str) -> Module:
    """Let functions stand for the memory, wherever it is accessed. `name` is the module's, for messages."""
    for _ in range(_MOST_DEEP):
        found = [_Memory(module, i, name) for i in _calls(module)]
        takers = {taker.name: memory for memory in found for taker in memory.takers()}
        if not takers:
            for memory in found:
                memory.replace()
            return module
        for taker, memory in takers.items():
            memory.inline(module.functions[taker])
        made = llvm.parse(str(module), name)
        for step in ("always_inliner", "sroa"):
            llvm.run_pass(made, step)
        module = read(str(made))
    raise found[0].error("it is passed on through too many calls", "pass it to functions that don't call themselves")


def _calls(module: Module) -> list[Instruction]:
    """The calls that give such memory."""
    if not any(hook_of(name) is Hook.todense for name in module.functions):
        return []
    holding = [f for f in module.definitions if f.may_hold(Hook.todense.value)]
    return [i for f in holding for i in f.instructions() if hook_of(i.callee_name) is Hook.todense]


class _Memory:
    """The memory that one call gives, and all that points into it in one function."""

    def __init__(self, module: Module, made: Instruction, name: str) -> None:
        self.module, self.made, self.function = module, made, made.block.function
        self.location = module.location(made) or f"{name}: in {self.function.ref}"
        if made.opcode != "call" or len(made.arguments) < 2 or not made.type.is_pointer:
            raise self.error("it takes two functions, and gives a pointer", "T *p = __enzyme_todense(load, store, ...)")
        self.load, self.store = (self.given(value) for value in made.arguments[:2])
        self.more = made.arguments[2:]
        self.pointers: list[Value] = [made]
        self.uses: list[tuple[Instruction, Value]] = []
        """What accesses it, or takes it, with the pointer."""
        self.follow()

    def error(self, message: str, hint: str | None = None) -> RequestError:
        return RequestError(f"{Hook.todense.value}: {message}", location=self.location, hint=hint)

    def given(self, value: Value) -> Function:
        function = self.module.functions.get(value.name) if isinstance(value, Global) else None
        if function is None:
            raise self.error("its first two arguments are functions that are known here", "pass them by name")
        return function

    def follow(self) -> None:
        """Find all pointers into it, and what is done with them."""
        seen: set[Value] = {self.made}
        for pointer in self.pointers:  # which grows meanwhile
            for user in dict.fromkeys(self.function.users.get(pointer, ())):
                if user.opcode in _MOVES:
                    if user not in seen:
                        seen.add(user)
                        self.pointers.append(user)
                elif user.opcode not in _LOOKS and not (user.callee_name or "").startswith(_HINTS):
                    self.uses.append((user, pointer))
        for pointer in self.pointers[1:]:
            assert isinstance(pointer, Instruction)
            stray = next((v for v in _sources(pointer) if v not in seen and v.ref not in ("poison", "undef")), None)
            if stray is not None:
                raise self.error(
                    f"its pointer and others meet: {pointer}", "call the function once with it, and once with the other"
                )

    # -- functions that take it -------------------------------------------------------------------------------------

    def takers(self) -> list[Function]:
        """The functions that are passed a pointer into it."""
        found = []
        users = dict.fromkeys(user for user, _ in self.uses if not user.is_erased)  # as a copy from another such memory
        for user in [self.by_loop(user) if _is_fill(user) else user for user in users]:
            if user.opcode in ("call", "invoke"):
                name = user.callee_name or ""
                taker = self.module.functions.get(self.module.aliases.get(name, name))
                if taker is None or not _can_be_inlined(self.module, taker):
                    raise self.error(f"a function that can't be inlined takes its pointer: {user}", "pass dense memory")
                found.append(taker)
        return found

    def by_loop(self, fill: Instruction) -> Instruction:
        """Let numbers be cleared, or copied, one by one, by a function that can be inlined."""
        is_set = (fill.callee_name or "").startswith("llvm.memset.")
        if is_set and not (isinstance(fill.arguments[1], Constant) and fill.arguments[1].integer == 0):
            raise self.error(f"only zeros are set by functions: {fill}", "pass dense memory")
        operands = fill.arguments[:3]
        name = _fresh(self.module)
        extend(self.module, _loop(name, self.load.result, [v.type for v in operands], is_set))
        made = located(call(VOID, self.module.globals[name], operands), fill)
        fill.insert_before(made)
        fill.erase()
        return made

    def inline(self, taker: Function) -> None:
        taker.attributes.remove("noinline", "optnone")
        taker.attributes.add("alwaysinline")

    # -- accesses ---------------------------------------------------------------------------------------------------

    def replace(self) -> None:
        for user, pointer in self.uses:
            if user.opcode == "load":
                self.put(user, pointer, self.reader(user.type), [])
            elif user.opcode == "store" and user.operands[0] is not pointer:
                self.put(user, pointer, self.writer(user.operands[0].type), [user.operands[0]])
            else:
                raise self.error(f"only loads and stores are done by functions: {user}", "pass dense memory")
        for moved in self.pointers[1:]:
            if isinstance(moved, Instruction) and moved.opcode == "getelementptr":  # there is no object to be within
                moved.pieces[0] = without_words(moved.pieces[0], ["inbounds", "nuw", "nusw"])
        self.made.erase(Constant(PTR, f"inttoptr (i64 {_BASE} to ptr)"))

    def put(self, access: Instruction, pointer: Value, function: str, values: Sequence[Value]) -> None:
        made = located(call(access.type, self.module.globals[function], [*values, pointer, *self.more]), access)
        access.insert_before(made)
        access.erase(made if access.type.kind != "void" else None)

    def reader(self, type: Type) -> str:
        def write(code: Code, given: list[Expr]) -> None:
            at, *more = given
            lanes = [self.part(code, self.load, [], at, k, t, more) for k, t in enumerate(_lanes(type))]
            made = lanes[0] if type.kind != "vector" else Expr(code, type, "poison")
            for k, lane in enumerate(lanes if type.kind == "vector" else ()):
                made = code.emit(type, f"insertelement {made}, {lane}, i64 {k}")
            code.ret(made)

        return self.helper("load", type, type, [], write)

    def writer(self, type: Type) -> str:
        def write(code: Code, given: list[Expr]) -> None:
            value, at, *more = given
            for k, t in enumerate(_lanes(type)):
                lane = value if type.kind != "vector" else code.emit(t, f"extractelement {value}, i64 {k}")
                self.part(code, self.store, [lane], at, k, t, more)
            code.ret()

        return self.helper("store", type, VOID, [type], write)

    def helper(
        self, kind: str, type: Type, result: Type, values: list[Type], write: Callable[[Code, list[Expr]], None]
    ) -> str:
        """A function that does one access."""
        if type.kind not in ("float", "int", "vector") or type.scalar.kind == "ptr":
            raise self.error(f"no {kind} of {type} is done by functions", "pass dense memory")
        name = _fresh(self.module)
        types = [*values, PTR, *(v.type for v in self.more)]
        parameters = [(t, f"x{i}") for i, t in enumerate(types)]
        code = Code(name, result, parameters, attributes="alwaysinline", linkage="internal")
        write(code, code.parameters)
        extend(self.module, code.text())
        return name

    def part(
        self, code: Code, function: Function, values: list[Expr], at: Expr, lane: int, type: Type, more: list[Expr]
    ) -> Expr:
        """The call for one number."""
        bytes = code.emit(I64, f"ptrtoint {at} to i64") - (_BASE - lane * type.size)
        given = [*values, bytes, *more]
        if len(function.arguments) != len(given) or function.variadic:
            raise self.error(
                f"{function.ref} takes {len(function.arguments)} arguments, and is passed {len(given)}",
                "they are load(bytes, more...) and store(value, bytes, more...)",
            )
        fitting = [self.fit(code, e, a.type, function) for e, a in zip(given, function.arguments, strict=True)]
        made = code.call(function.result, function.ref[1:], *fitting)
        return made if values else self.fit(code, made, type, function)

    def fit(self, code: Code, value: Expr, type: Type, function: Function) -> Expr:
        given = value.type
        if given == type:
            return value
        if given.is_integer and type.is_integer:
            return code.emit(type, f"{'trunc' if given.count > type.count else 'sext'} {value} to {type}")
        if given.size == type.size and {given.kind, type.kind} == {"float", "int"}:  # a number, moved as bits
            return code.emit(type, f"bitcast {value} to {type}")
        raise self.error(
            f"{function.ref} is not for {type}, which meets {given} there", "declare it for what is accessed"
        )


def _loop(name: str, number: Type, types: list[Type], is_set: bool) -> str:
    """A function that clears or copies numbers."""
    code = Code(name, VOID, [(t, f"x{i}") for i, t in enumerate(types)], linkage="internal")
    to, source, bytes = code.parameters
    test, turn, end = (code.block(hint) for hint in ("test", "turn", "end"))
    code.br(test)
    at = code.at(test).phi(bytes.type, [("0", code.entry), ("%next", turn)], "at")
    code.cond_br(at.compare("ult", bytes), turn, end)
    code.at(turn)
    value = code.constant(number, 0) if is_set else code.load(number, code.offset(source, at), ", align 1")
    code.store(value, code.offset(to, at), ", align 1")
    code.line(f"%next = add {at}, {number.size}")
    code.br(test)
    code.at(end).ret()
    return code.text()


def _is_fill(i: Instruction) -> bool:
    return (i.callee_name or "").startswith(_FILLS)


def _fresh(module: Module) -> str:
    """A name that no function has."""
    n = len(module.functions)
    while f"gradir.dense.{n}" in module.functions:
        n += 1
    return f"gradir.dense.{n}"


def _lanes(type: Type) -> list[Type]:
    return [type.element] * type.count if type.kind == "vector" else [type]


def _sources(moved: Instruction) -> list[Value]:
    """The pointers that one is made of."""
    if moved.opcode == "phi":
        return [value for value, _ in moved.incoming]
    return list(moved.operands[1:]) if moved.opcode == "select" else [moved.operands[0]]


def _can_be_inlined(module: Module, function: Function) -> bool:
    """Whether LLVM may inline it: another could take the place of a weak one."""
    is_known = not function.is_declaration and function.signature.linkage not in ("weak", "linkonce")
    return is_known and not _calls_itself(module, function)


def _calls_itself(module: Module, function: Function) -> bool:
    """Whether a function may come to run inside itself, as far as names tell."""
    seen: set[str] = set()
    waiting = list(function.mentioned)
    while waiting:
        name = waiting.pop()
        if name == function.name:
            return True
        if name not in seen and (called := module.functions.get(name)) is not None:
            seen.add(name)
            waiting += called.mentioned
    return False
