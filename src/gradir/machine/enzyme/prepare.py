"""Shields a module from LLVM's passes while Enzyme's calls are still in it, and takes the shields away afterwards.

Passes may not learn what a marker holds, merge two of Enzyme's calls, inline a function with a rule of its own, or look
through its body.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass, field

from gradir.machine.enzyme.adapter import reference
from gradir.machine.enzyme.names import ANNOTATIONS, hook_of, marker_named
from gradir.machine.ir import Module
from gradir.machine.ir.reader import read
from gradir.machine.llvm import HOST, Target
from gradir.machine.rules.registry import Registry

__all__ = ["Shields", "outline"]

_LINKAGE = r"(?:private|internal|available_externally|linkonce_odr|linkonce|weak_odr|weak|external)"
_BODY = re.compile(r"^(define .*\{)\n(?:.*\n)*?\}$", re.MULTILINE)
_DEFINED = re.compile(rf'^define (?:({_LINKAGE}) )?(.*?@(?:"([^"]*)"|([-\w.$]+))\()')
_DECLARED = re.compile(r'^declare .*?@(?:"([^"]*)"|([-\w.$]+))\(')
_GONE = re.compile(r"[+-](?:avx10\.\d+-\d+|evex512)$")  # older clangs name them, LLVM has dropped them
_ADDED = "__enzyme_register_gradir."


def outline(text: str) -> Module:
    """A module without the bodies of its functions: all that is said about them, quickly."""
    return read(_BODY.sub(r"\1\n}", text))


@dataclass
class Shields:
    """What was changed in a module's text, so that it can be changed back."""

    markers: dict[str, str] = field(default_factory=dict)
    """The line that defines a marker in the end, by its name."""
    linkage: dict[str, str] = field(default_factory=dict)
    """The linkage of a function, by its name."""
    opaque: frozenset[str] = frozenset()
    """Functions that are not to be looked into besides those that the module itself says so of."""

    def raise_in(self, text: str) -> str:
        """Prepare a module (printed by LLVM) for passes."""
        module = outline(text)
        rules = Registry.of(module)
        opaque = rules.rules() | self.opaque
        lines = text.split("\n")
        for i, line in enumerate(lines):
            if line.startswith("@"):
                lines[i] = self._without_value(module, line)
            elif line.startswith("define "):
                lines[i] = self._opaque(line, opaque)
            elif line.startswith("declare "):
                lines[i] = _unmergeable(line)
        return "\n".join([*lines, *_as_globals(module, rules)])

    def lower_in(self, text: str) -> str:
        """Give functions back the linkage that they had."""

        def restore(match: re.Match[str]) -> str:
            linkage = self.linkage.get(match[3] or match[4])
            return match[0] if linkage is None else f"define {linkage}{' ' if linkage else ''}{match[2]}"

        return "\n".join(
            _DEFINED.sub(restore, line) if line.startswith("define ") else line for line in text.split("\n")
        )

    def settle(self, text: str) -> str:
        """Take away all that was only for differentiating. Markers that nobody defined need no definition elsewhere."""
        lines = [line for line in text.split("\n") if not _is_annotation(line) and not line.startswith(f"@{_ADDED}")]
        for i, line in enumerate(lines):
            name = line.partition(" = ")[0].removeprefix("@").strip('"') if line.startswith("@") else ""
            lines[i] = self.markers.get(name, line)
        return "\n".join(lines)

    def _without_value(self, module: Module, line: str) -> str:
        name = line.partition(" = ")[0].removeprefix("@").strip('"')
        if marker_named(name) is None or " alias " in line:
            return line
        marker = module.globals[name]
        defined = f"{reference(name)} = internal global {marker.value_type} zeroinitializer"
        self.markers.setdefault(name, defined if marker.initializer is None else line)
        return f"{reference(name)} = external global {marker.value_type}"

    def _opaque(self, line: str, rules: Collection[str]) -> str:
        """LLVM assumes nothing of the body of a weak function, since another may take its place."""
        match = _DEFINED.match(line)
        if match is None or (match[3] or match[4]) not in rules:
            return line
        self.linkage.setdefault(match[3] or match[4], match[1] or "")
        return f"define weak {line[match.start(2) :]}"


def _unmergeable(line: str) -> str:
    match = _DECLARED.match(line)
    name = (match[1] or match[2]) if match else ""
    if hook_of(name) is not None:
        return f"{line} nomerge"
    if any(word in name for word in ANNOTATIONS):
        return f'{line} nomerge "enzyme_inactive"'
    return line


def _as_globals(module: Module, rules: Registry) -> list[str]:
    """Rules that are metadata, as globals: what only metadata mentions would be removed as dead."""
    by_metadata = {f.name for f in module.functions.values() if "enzyme_gradient" in f.metadata}
    lines = []
    for i, name in enumerate(sorted(by_metadata & set(rules.gradients))):
        rule = rules.gradients[name]
        entries = ", ".join(f"ptr {reference(n)}" for n in (name, rule.augmented, rule.reverse))
        lines.append(f"@{_ADDED}{i} = global [3 x ptr] [{entries}]")
    return lines


def _is_annotation(line: str) -> bool:
    return (
        "__enzyme_" in line
        and re.match(r"^  (?:\w+ )?call void ", line) is not None
        and any(re.search(rf'@"?[^"( ]*{word}', line) for word in ANNOTATIONS)
    )


def target_of(text: str) -> tuple[Target, str]:
    """The machine that a module was compiled for, and the attributes that say so."""
    cpu = re.search(r'"target-cpu"="([^"]*)"', text)
    features = re.search(r'"target-features"="([^"]*)"', text)
    triple = re.search(r'^target triple = "([^"]*)"', text, re.MULTILINE)
    if cpu is None:
        return HOST, ""
    known = ",".join(f for f in features[1].split(",") if not _GONE.match(f)) if features else ""
    said = f'"target-cpu"="{cpu[1]}"' + (f' "target-features"="{features[1]}"' if features else "")
    return Target(triple[1] if triple else "", cpu[1], known), said
