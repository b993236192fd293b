"""Words that are only moved, and that may be floats or addresses from object to object, are moved in memory.

A register is one or the other; in memory, what lies in the shadow tells at run time. Compilers move the members of
`std::function`, of tuples, pairs and variants as integers of eight bytes, and the same code moves another object's
numbers. Integers of eight bytes that are loaded or made of a float, an address or a number, chosen (`phi`, `select`),
stored, or read as one of these again, and nothing else, are such words. So are pointers and doubles that are loaded
where the other may lie, and stored where it may: one of two variants of a union is moved as what is in the other.
"""

from __future__ import annotations

from collections.abc import Container

from gradir.machine.analysis.bytes.typed_integers import MARK
from gradir.machine.analysis.bytes.types import FunctionTypes, Kind, TypeAnalysis
from gradir.machine.ir import DOUBLE, I1, I8, I64, PTR, VOID, Constant, Function, Instruction, Module, Value, array
from gradir.machine.ir.instructions import alloca, call, constant, load, located, select, store
from gradir.machine.ir.opcodes import OPCODES
from gradir.machine.ir.text.reader import extend
from gradir.machine.passes.inner import is_derivative

__all__ = ["run"]

_COPY = "llvm.memcpy.p0.p0.i64"
_FILL = "llvm.memset.p0.i64"
_WORD = Kind.word.size
_CHOICES = ("phi", "select", "freeze")
_CASTS = ("bitcast", "inttoptr", "ptrtoint")


def run(module: Module, types: TypeAnalysis) -> bool:
    """Move words of unknown kind in memory. Whether there were any."""
    found = {f: words for f in module.definitions if (words := _words(f, types.of(f)) + _disputed(f, types.of(f)))}
    if not found:
        return False
    for name, parameters in ((_COPY, "ptr, ptr, i64, i1"), (_FILL, "ptr, i8, i64, i1")):
        if name not in module.functions:
            extend(module, f"declare void @{name}({parameters})")
    for function, words in found.items():
        _Demotion(module, function, words).run()
    return True


def _disputed(function: Function, types: FunctionTypes) -> list[Instruction]:
    """The pointers and doubles that come from where both may lie, where one of those is stored at such a place again:
    what is loaded there, and what is chosen from that."""
    if is_derivative(function.name):  # its tapes have fields of one kind each
        return []
    loads = [
        i
        for i in function.instructions()
        if i.opcode == "load" and i.type in _SCALARS and not i.flags and types.is_disputed(i.pointer, _WORD, 0)
    ]
    found: dict[Instruction, None] = {}
    for i in loads:
        chosen = _chosen_of(i)
        if any(_is_stored_again(v, types) for v in chosen):
            found |= dict.fromkeys(chosen)
    return list(found)


_SCALARS = (PTR, DOUBLE)


def _chosen_of(load: Instruction) -> list[Instruction]:
    """A value, and all that may be it by choice."""
    found = {load: None}
    todo = [load]
    while todo:
        for user in load.block.function.users.get(todo.pop(), ()):
            if user.opcode in _CHOICES and user not in found:
                found[user] = None
                todo.append(user)
    return list(found)


def _is_stored_again(v: Instruction, types: FunctionTypes) -> bool:
    users = v.block.function.users.get(v, ())
    return any(u.opcode == "store" and u.value is v and types.is_disputed(u.pointer, _WORD, 0) for u in users)


def _words(function: Function, types: FunctionTypes) -> list[Instruction]:
    """The integers that may be floats or addresses, and that nothing else is done with."""
    if not function.may_hold("i64"):
        return []
    found = {
        i: None
        for i in function.instructions()
        if i.type == I64 and (i.opcode in _CHOICES or (i.opcode == "load" and not i.flags))
        if types.value(i) is Kind.unknown or types.is_called_both(i) or _meets_others(i, types)
    }
    while wrong := [i for i in found if not _is_only_moved(i, found, types)]:
        for i in wrong:
            del found[i]
    return list(found)


def _meets_others(i: Instruction, types: FunctionTypes) -> bool:
    """Whether what is taken for an address comes from where floats are as well, or goes there; or anything else, from
    where it is not known what there is."""
    ends = [u.pointer for u in i.block.function.users.get(i, ()) if u.opcode == "store" and u.value is i]
    ends += [i.pointer] if i.opcode == "load" else []
    # In a typed program nothing else is made of an address than what is moved whole.
    known = types.value(i) is Kind.pointer and not types.facts.module.is_typed
    return any(
        types.is_disputed(end, _WORD, 0) or (not known and types.memory(end, 0, _WORD) is Kind.unknown) for end in ends
    )


def _is_only_moved(i: Instruction, words: Container[Value], types: FunctionTypes) -> bool:
    users = i.block.function.users.get(i, [])
    typed = types.facts.module.is_typed
    numbers = [u for u in users if _counts(u) or (typed and _is_passed(u, i))]
    if not all(u in words or u in numbers or _takes(u, i) for u in users):
        return False
    if i.opcode != "load":
        return all(v in words or _is_cast(v) or _is_number(v, types) for v in _choices(i))
    return len(numbers) < len(users)


def _counts(user: Instruction) -> bool:
    """Whether an instruction takes a word for a number."""
    return user.opcode == "icmp" or OPCODES[user.opcode].types == "number"


def _is_passed(user: Instruction, word: Value) -> bool:
    """Whether a call in a typed program takes a word for a number: others that are passed in the guise of integers may
    have bytes that nobody has written."""
    if user.opcode not in ("call", "invoke") or word is user.callee:
        return False
    said = user.info["argument_attributes"]
    return all("noundef" in said[n].split() for n, a in enumerate(user.arguments) if a is word)  # type: ignore[index]


def _is_number(v: Value, types: FunctionTypes) -> bool:
    """Whether an integer is surely neither a float nor an address: it is calculated from such."""
    work, seen = [v], {v}
    while work:
        v = work.pop()
        if isinstance(v, Constant):
            if v.integer is None and not v.is_undefined:
                return False
        elif isinstance(v, Instruction) and OPCODES[v.opcode].types in ("number", "bits") and not _is_cast(v):
            new = [o for o in v.operands if o.type.scalar.is_integer and o not in seen]
            work += new
            seen.update(new)
        elif types.value(v) is not Kind.integer:
            return False
    return True


def _takes(user: Instruction, word: Value) -> bool:
    """Whether an instruction stores a word, or makes a float or an address of it."""
    if user.opcode == "store":
        return user.value is word and user.pointer is not word and not user.flags
    return _is_cast(user)


def _is_cast(v: Value) -> bool:
    """Whether a float or an address becomes a word, or the other way round."""
    if not isinstance(v, Instruction) or v.opcode not in _CASTS:
        return False
    ends = {v.type, v.operands[0].type} - {I64}
    return len(ends) == 1 and (Kind.of(end := ends.pop()) or Kind.unknown).size == _WORD and not end.is_aggregate


def _choices(i: Instruction) -> list[Value]:
    return [v for v, _ in i.incoming] if i.opcode == "phi" else i.operands[1:] if i.opcode == "select" else i.operands


class _Demotion:
    """A function, some of whose registers become memory."""

    def __init__(self, module: Module, function: Function, words: list[Instruction]) -> None:
        self.module, self.function, self.words = module, function, words
        self.kept = {word: self._variable() for word in words}
        self.mark = module.add_node("!{}") if module.is_typed else ""

    def run(self) -> None:
        for word in self.words:
            getattr(self, f"_{word.opcode}")(word)
        for word in self.words:
            for user in list(self.function.users.get(word, ())):
                if user not in self.kept:
                    self._use(user, word)
        for word in self.words:
            word.erase(Constant(word.type, "poison"))

    def _use(self, user: Instruction, word: Instruction) -> None:
        kept = self.kept[word]
        if user.opcode == "store" and user.value is word:
            user.insert_before(located(self._copied(user.pointer, kept, user.align), user))
            user.erase()
            return
        typed = self.module.is_typed
        number = word.type == I64 and (_counts(user) or (typed and _is_passed(user, word)))
        keeps = word.type != I64 or number
        seen = located(load(word.type if keeps else user.type, kept, _WORD, "seen"), user)
        if number and typed:
            seen.metadata[MARK] = self.mark
        user.insert_before(seen)
        if keeps:
            user.replace_operand(word, seen)
        else:
            user.erase(seen)

    # -- where words come from --------------------------------------------------------------------------------------

    def _load(self, word: Instruction) -> None:
        word.insert_before(located(self._copied(self.kept[word], word.pointer, _WORD, word.align), word))

    def _phi(self, word: Instruction) -> None:
        """All of a block's are chosen at once, so by way of another variable each."""
        chosen = self._variable()
        for block, value in {block: value for value, block in word.incoming}.items():
            block.terminator.insert_before(located(self._moved(chosen, value), word))
        block = word.block
        block.insert(len(block.phis), located(self._copied(self.kept[word], chosen), word))

    def _select(self, word: Instruction) -> None:
        condition, *values = word.operands
        yes, no = (self._variable_of(v, word) for v in values)
        chosen = located(select(condition, yes, no, "chosen"), word)
        word.insert_before(chosen, located(self._copied(self.kept[word], chosen), word))

    def _freeze(self, word: Instruction) -> None:
        word.insert_before(located(self._moved(self.kept[word], word.operands[0]), word))

    # -- moves ------------------------------------------------------------------------------------------------------

    def _variable(self) -> Instruction:
        made = alloca(array(_WORD, I8), _WORD, "word")
        self.function.entry.insert(0, made)
        return made

    def _variable_of(self, value: Value, before: Instruction) -> Value:
        """One that holds a value."""
        if value in self.kept:
            return self.kept[value]
        made = self._variable()
        before.insert_before(located(self._moved(made, value), before))
        return made

    def _moved(self, to: Value, value: Value) -> Instruction:
        """What puts a word, or what becomes one, where a variable is."""
        if value in self.kept:
            return self._copied(to, self.kept[value])
        if isinstance(value, Constant) and (value.is_undefined or value.integer == 0):
            return self._called(_FILL, to, constant(I8, 0), _WORD)
        made = store(value.operands[0] if isinstance(value, Instruction) and _is_cast(value) else value, to, _WORD)
        if isinstance(value, Instruction) and MARK in value.metadata:
            made.metadata[MARK] = self.mark
        return made

    def _copied(self, to: Value, source: Value, *aligned: int) -> Instruction:
        """With the alignments of both ends, if they are not those of a variable."""
        return self._called(_COPY, to, source, *aligned, *(_WORD,) * (2 - len(aligned)))

    def _called(self, name: str, to: Value, second: Value, *aligned: int) -> Instruction:
        made = call(VOID, self.module.globals[name], [to, second, constant(I64, _WORD), Constant(I1, "false")])
        made.info["argument_attributes"] = [*(f"align {n}" for n in aligned), "", "", ""][:4]
        return made
