"""The functions of a program by the names that they go by: in the source, with scope and types, for the linker."""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping

from gradir.errors import UnknownFunction, nearest
from gradir.machine.jit.signature import Signature

__all__ = ["Functions"]


class Functions(Mapping[str, Signature]):
    """What can be called, by name; a table when it is printed.

    A function is found by its name (`f`, `ns::f`, `inner::f`), where several share one, by its types, too
    (`ns::f(double, int)`), and by its symbol. They are listed by the shortest of these that tells them apart.
    """

    def __init__(self, signatures: Iterable[Signature]) -> None:
        self._all = list(signatures)
        self._symbols = {s.symbol: s for s in self._all}
        names, spellings = Counter(map(_listed, self._all)), Counter(map(_spelt, self._all))
        self._titles: dict[str, Signature] = {}
        for s in self._all:
            title = _listed(s) if names[_listed(s)] == 1 else _spelt(s) if spellings[_spelt(s)] == 1 else s.symbol
            self._titles[title] = s

    def __iter__(self) -> Iterator[str]:
        return iter(self._titles)

    def __len__(self) -> int:
        return len(self._titles)

    def __getitem__(self, name: str) -> Signature:
        try:
            return self.find(name)
        except UnknownFunction:
            raise KeyError(name) from None

    def find(self, name: str | None) -> Signature:
        """The one function that goes by a name; without a name, the only one there is."""
        if name is None:
            if len(self._all) != 1:
                raise UnknownFunction("which function?", hint=f"name one of {', '.join(self)}")
            return self._all[0]
        if name in self._symbols or name in self._titles:
            return self._symbols.get(name) or self._titles[name]
        path, types = _parsed(name.removeprefix("::"))
        for called in _CALLED[:1] if name.startswith("::") else _CALLED:
            found = [s for s in self._all if called(s, path)]
            if types is not None:
                found = [s for s in found if _types(s) == types] or [s for s in found if _plain(s) == _bare(types)]
            if len({_spelt(s) for s in found}) == 1:
                return found[0]
            if found:
                hint = f"name one by its types: {', '.join(sorted({_spelt(s) for s in found}))}"
                raise UnknownFunction(f"several functions are called '{name}'", hint=hint)
        near = nearest(name, [*self, *(s.name for s in self._all)], f"the module holds {', '.join(self) or 'none'}")
        raise UnknownFunction(f"there is no function '{name}'", hint=near)

    # -- As a table

    def _rows(self) -> list[tuple[str, str, str, str]]:
        return [
            (title, ", ".join(map(str, _given(s))), str(s.result or "nothing"), s.location or "")
            for title, s in self._titles.items()
        ]

    def __str__(self) -> str:
        rows = [_HEAD, *self._rows()]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        return "\n".join(
            "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows
        )

    __repr__ = __str__

    def _repr_html_(self) -> str:
        """The table, in a notebook."""

        def line(row: tuple[str, ...], tag: str) -> str:
            return f"<tr>{''.join(f'<{tag}>{html.escape(cell)}</{tag}>' for cell in row)}</tr>"

        return f"<table>{line(_HEAD, 'th')}{''.join(line(row, 'td') for row in self._rows())}</table>"


_HEAD = ("function", "arguments", "gives", "defined at")


def _given(signature: Signature) -> list[object]:
    return [a for a in signature.arguments if not a.name.startswith("gradir.")]


def _listed(signature: Signature) -> str:
    """The name that a function is listed by: with its scope in C++, where functions of many scopes are called alike."""
    return signature.qualified if signature.symbol.startswith("_Z") else signature.name


def _spelt(signature: Signature) -> str:
    """The name with the types of the arguments."""
    return f"{signature.qualified}({', '.join(_type_names(signature))})"


def _type_names(signature: Signature) -> list[str]:
    return [re.sub(r"^(const )?struct ", r"\1", str(a.type)) for a in signature.arguments if a.name != "this"]


def _types(signature: Signature) -> str:
    return _normal(", ".join(_type_names(signature)))


def _plain(signature: Signature) -> str:
    return _bare(_types(signature))


def _parsed(name: str) -> tuple[str, str | None]:
    """A name, and the types that stand after it."""
    path, is_typed, types = name.rstrip().removesuffix(")").partition("(")
    return re.sub(r"\s+", "", path), _normal(types) if is_typed else None


def _normal(types: str) -> str:
    """Types as everybody may write them: `V const&` is `const V &`."""
    parts = []
    for part in types.split(","):
        words = re.findall(r"[\w:<>.]+|[*&\[\]()]", part)
        qualifiers = [w for w in words if w == "const"]
        parts.append(" ".join([*qualifiers, *(w for w in words if w not in ("const", "struct", "class"))]))
    return ", ".join(parts)


def _bare(types: str) -> str:
    """Types without what only the callee cares for."""
    return types.replace("const ", "").replace("&", "*")


_CALLED: tuple[Callable[[Signature, str], bool], ...] = (
    lambda s, path: s.qualified == path,
    lambda s, path: s.qualified.endswith(f"::{path}"),
    lambda s, path: re.sub(r"<.*>", "", s.qualified).split("::")[-1] == path,
)
"""Ways in which a function may be called by a path, the closest first: in full, without some scopes, without `<…>`."""
