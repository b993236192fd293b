"""Sheaf: a small Lisp for differentiable programs, lowered to StableHLO."""

from gradir.frontends.sheaf.program import Program
from gradir.frontends.sheaf.source import SheafError

__all__ = ["Program", "SheafError"]
