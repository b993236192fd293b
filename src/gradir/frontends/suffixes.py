"""Which front end reads a file."""

from __future__ import annotations

__all__ = ["SUFFIXES"]

SUFFIXES = {
    ".c": "c",
    ".cc": "c",
    ".cpp": "c",
    ".cxx": "c",
    ".C": "c",
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
"""Which front end (a module of this package) reads a file, by its suffix."""
