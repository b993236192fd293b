"""Expressions: derivatives for those who have no file. Variables, what is computed of them, and formulas to look at.

>>> from gradir.expressions import Var, grad
>>> x, y = Var("x"), Var("y")
>>> grad(x * y + x, x)
y + 1
>>> grad(x * y + x, y)
x
"""

from gradir.expressions.calculus import ValueAndGrad, grad, hessian, value_and_grad
from gradir.expressions.expression import Constant, Expression, Var
from gradir.expressions.functions import *  # noqa: F403
from gradir.expressions.functions import __all__ as _functions

__all__ = ["Constant", "Expression", "ValueAndGrad", "Var", "grad", "hessian", "value_and_grad", *_functions]  # pyright: ignore[reportUnsupportedDunderAll]
