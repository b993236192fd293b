"""The names that an ELF object needs from elsewhere, those that LLVM put in by itself (`__powidf2`) too."""

from __future__ import annotations

import struct
from collections.abc import Iterator

__all__ = ["undefined_symbols"]

_SECTION_SYMTAB = 2


def undefined_symbols(content: bytes) -> list[str] | None:
    """The undefined symbols of a 64-bit little-endian ELF object; None if it is something else."""
    if content[:6] != b"\x7fELF\x02\x01":
        return None
    table, entry_size, count = struct.unpack_from("<Q", content, 40)[0], *struct.unpack_from("<HH", content, 58)
    sections = [struct.unpack_from("<IIQQQQIIQQ", content, table + i * entry_size) for i in range(count)]
    return sorted({name for name in _undefined(content, sections) if name})


def _undefined(content: bytes, sections: list[tuple[int, ...]]) -> Iterator[str]:
    for _, kind, _, _, offset, size, strings, *_ in sections:
        if kind != _SECTION_SYMTAB:
            continue
        names = sections[strings][4]
        for at in range(offset, offset + size, 24):
            name, _, _, section = struct.unpack_from("<IBBH", content, at)
            if section == 0:
                end = content.index(b"\0", names + name)
                yield content[names + name : end].decode()
