"""Types as LLVM writes them, and the types that a module has names for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from gradir.errors import InputError
from gradir.machine.ir.layout import DataLayout
from gradir.machine.ir.text.tokens import Tokens, words
from gradir.machine.ir.types import PTR, VOID, Type, array, struct, vector

__all__ = ["Types", "read_type"]

_FLOATS = words("half bfloat float double x86_fp80 fp128 ppc_fp128")
_BEGINNINGS = frozenset({"ptr", "void", "[", "{", "<", "label", "metadata", "token", "target"}) | _FLOATS


class Types(Mapping[str, Type]):
    """The named types of a module, each read when it is first asked for; and the reading of any other type.

    >>> types = Types({"%pair": "{ i32, double }"})
    >>> types["%pair"].size, types.parse("[3 x %pair]").size
    (16, 48)
    """

    def __init__(self, lines: dict[str, str]) -> None:
        self.lines = lines
        """What stands after `= type`, by name."""
        self.layout = DataLayout.read("")
        self._read: dict[str, Type] = {}

    def __getitem__(self, name: str) -> Type:
        if name not in self.lines:
            raise KeyError(name)
        return self.named(name)

    def named(self, name: str) -> Type:
        """The type of a name; one that nothing is said of is opaque."""
        found = self._read.get(name)
        if found is None:
            body = self.lines.get(name, "opaque")
            # What refers to itself is opaque: only pointers can, and they don't say.
            self._read[name] = Type(name, "struct")
            inner = struct([]) if body == "opaque" else self.parse(body)
            found = self._read[name] = Type(name, inner.kind, inner.count, inner.elements, inner.packed)
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(self.lines)

    def __len__(self) -> int:
        return len(self.lines)

    def parse(self, text: str) -> Type:
        """A type on its own."""
        tokens = Tokens(text)
        type = self.type(tokens)
        if tokens.at < len(tokens.texts):
            raise tokens.unreadable("more than a type")
        return type

    def begin(self, tokens: Tokens) -> bool:
        """Whether a type begins here."""
        word = tokens.peek()
        return word in _BEGINNINGS or word[:1] == "%" or (word[:1] == "i" and word[1:].isdigit())

    def type(self, tokens: Tokens) -> Type:
        base = self.simple(tokens)
        while tokens.peek() == "(" and base.kind != "metadata":
            base = self.function(tokens, base)
        return base

    def function(self, tokens: Tokens, result: Type) -> Type:
        tokens.expect("(")
        parameters: list[Type] = []
        names: list[str] = []
        while not tokens.accept(")"):
            if tokens.accept("..."):
                names.append("...")
            else:
                parameters.append(self.type(tokens))
                names.append(parameters[-1].text)
            tokens.accept(",")
        return Type(f"{result} ({', '.join(names)})", "function", 0, (result, *parameters))

    def simple(self, tokens: Tokens) -> Type:
        """A type that is not one of functions: in a definition the parameters follow the name."""
        word = tokens.next()
        match word:
            case "ptr":
                if tokens.accept("addrspace"):
                    tokens.expect("(")
                    space = tokens.number()
                    tokens.expect(")")
                    self.layout.check_space(space, tokens.line)
                    return Type(f"ptr addrspace({space})", "ptr")
                return PTR
            case "void":
                return VOID
            case "label" | "metadata" | "token":
                return Type(word, word)
            case "[":
                n = tokens.number()
                tokens.expect("x")
                element = self.type(tokens)
                tokens.expect("]")
                return array(n, element)
            case "{":
                return self._struct(tokens)
            case "<":
                return self._angled(tokens)
        if word in _FLOATS:
            return Type(word, "float")
        if word[0] == "i" and word[1:].isdigit():
            return Type(word, "int", int(word[1:]))
        if word[0] == "%":
            return self.named(word)
        if word == "target":
            start = tokens.at
            tokens.skip_balanced()
            return Type(word + "".join(tokens.texts[start : tokens.at]), "token")
        raise tokens.unreadable(f"no type {word!r}")

    def _struct(self, tokens: Tokens) -> Type:
        fields = []
        while not tokens.accept("}"):
            fields.append(self.type(tokens))
            tokens.accept(",")
        return struct(fields)

    def _angled(self, tokens: Tokens) -> Type:
        if tokens.accept("{"):
            body = self._struct(tokens)
            tokens.expect(">")
            return struct(body.elements, packed=True)
        if tokens.accept("vscale"):
            hint = "compile for vectors of a fixed length"
            raise InputError(f"scalable vectors can't be differentiated: {tokens.line.strip()}", hint=hint)
        n = tokens.number()
        tokens.expect("x")
        element = self.type(tokens)
        tokens.expect(">")
        return vector(n, element)


def read_type(text: str) -> Type:
    """The type that a text begins with, and that mentions no type by name.

    >>> read_type("{ i8, double } zeroinitializer").size
    16
    """
    tokens = Tokens(text)
    type = Types({}).type(tokens)
    if any(kind == "local" for kind in tokens.kinds[: tokens.at]):
        raise InputError(f"a type that only its module knows: {text}")
    return type
