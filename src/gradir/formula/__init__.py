"""Formulas: what a function computes, as people write it, as an S-expression, or as Python with NumPy."""

from gradir.formula.infix import infix, python
from gradir.formula.reader import read
from gradir.formula.sexpr import sexpr
from gradir.formula.simplify import simplify
from gradir.formula.tree import Formula

__all__ = ["Formula", "infix", "python", "read", "sexpr", "simplify"]
