"""ATen's ops, computed with JAX: one file for a family."""

from gradir.torch.aten import elementwise, indexing, linear, neural, random, reductions, shapes
from gradir.torch.aten.table import DRAWING, TABLE

__all__ = ["DRAWING", "TABLE", "elementwise", "indexing", "linear", "neural", "random", "reductions", "shapes"]
