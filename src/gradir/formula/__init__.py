"""Formulas: what a function computes, as people write it, as an S-expression, as Python with NumPy, or as C."""

from gradir.formula.csource import c_source
from gradir.formula.infix import infix, python
from gradir.formula.reader import read
from gradir.formula.sexpr import sexpr
from gradir.formula.simplify import simplify
from gradir.formula.tree import Formula

__all__ = ["Formula", "c_source", "infix", "python", "read", "sexpr", "simplify"]
