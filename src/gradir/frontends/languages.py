"""Which language a source is in: by the suffix of its file, or by how its text begins."""

from __future__ import annotations

import re

__all__ = ["COMPILED", "FRONT_ENDS", "NATIVE", "SUFFIXES", "by_content"]

FRONT_ENDS = {"c": "c", "c++": "c", "fortran": "fortran", "rust": "rust", "llvm": "llvm", "core-mlir": "mlir"}
"""The module of this package that reads a native language. "core-mlir" are MLIR's own dialects, "mlir" is StableHLO."""

NATIVE = frozenset(FRONT_ENDS)
COMPILED = NATIVE - {"llvm", "core-mlir"}
"""Languages that a compiler turns into LLVM IR, with flags of its own."""

SUFFIXES = {
    ".c": "c",
    ".cc": "c++",
    ".cpp": "c++",
    ".cxx": "c++",
    ".C": "c++",
    ".f90": "fortran",
    ".f95": "fortran",
    ".f03": "fortran",
    ".f08": "fortran",
    ".f": "fortran",
    ".for": "fortran",
    ".F90": "fortran",
    ".F": "fortran",
    ".rs": "rust",
    ".ll": "llvm",
    ".bc": "llvm",
}
"""The language of a native source, by the suffix of its file."""

_MAGICS = {b"BC\xc0\xde": "llvm", b"\xde\xc0\x17\x0b": "llvm", b"ML\xefR": "mlir"}

_NOT_CODE = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)

# The first that is found decides, so those stand first whose words mean nothing else. (Metadata of LLVM's looks like an
# alias of MLIR's: `!0 = ...`.)
_SIGNS = {
    "llvm": r"""^(?:;\ ModuleID|source_filename\s*=|target\ (?:triple|datalayout)\s*=|(?:define|declare)\ .*@
        |%[\w."]+\s*=\s*type\b|@[\w."]+\s*=.*\b(?:global|constant)\b)""",
    "mlir": r"""^\s*(?:(?:builtin\.)?module\s*(?:@|\{|attributes\b)|"builtin\.module"|"?func\.func\b|[#!][\w.]+\s*=
        |\^\w+|%[\w#:]+(?:,\s*%[\w#:]+)*\s*=\s*"?\w+\.\w+)""",
    "rust": r"""^\s*(?:\#!?\[|(?:pub(?:\(\w+\))?\s+)?(?:unsafe\s+)?(?:extern\s+"C"\s+)?fn\s+\w+
        |use\s+[\w:]+.*;|impl\b|mod\s+\w+)""",
    "c++": r"""^\s*(?:\#\s*include\s*<(?:c?\w+|\w+/\w+)>|template\s*<|namespace\b|using\s|class\s+\w+
        |extern\s+"C")|\bstd::""",
    "fortran": r"""(?i)^\s*(?:module\s+\w+\s*$|program\s+\w+\s*$|(?:(?:pure|elemental|recursive)\s+)*
        (?:subroutine|(?:[\w*]+(?:\s*\([^)]*\))?\s+){0,2}function)\s+\w+)""",
    "c": r"""^\s*(?:\#\s*(?:include|define|if|ifdef|ifndef|pragma)\b|(?:[A-Za-z_]\w*[\s*]+)+[A-Za-z_]\w*\s*[(\[;={])""",
}  # fmt: skip
_LANGUAGES = {name: re.compile(pattern, re.MULTILINE | re.VERBOSE) for name, pattern in _SIGNS.items()}


def by_content(content: bytes) -> str | None:
    """The language that a text, or the first kilobytes of a file, is in; None if nothing in it says so.

    >>> by_content(b"double f(double x) { return x * x; }")
    'c'
    >>> by_content(b"#include <vector>\\ndouble f(double x);")
    'c++'
    >>> by_content(b"func.func @f(%x: tensor<f32>) -> tensor<f32> { return %x : tensor<f32> }")
    'mlir'
    >>> by_content(b"real(8) function f(x)\\n  real(8) :: x")
    'fortran'
    >>> by_content(b"define double @f(double %x) {")
    'llvm'
    """
    for magic, language in _MAGICS.items():
        if content.startswith(magic):
            return language
    text = _NOT_CODE.sub("", content[:65536].decode(errors="replace"))
    return next((name for name, sign in _LANGUAGES.items() if sign.search(text)), None)
