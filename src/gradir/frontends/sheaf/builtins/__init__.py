"""The functions that are there without being defined, a file for each kind. Importing this makes them known."""

from gradir.frontends.sheaf.builtins import (
    arithmetic,
    calculus,
    host,
    indexing,
    neural,
    randoms,
    reductions,
    sequences,
    shapes,
    trees,
)

__all__ = [
    "arithmetic", "calculus", "host", "indexing", "neural", "randoms", "reductions", "sequences", "shapes", "trees",
]  # fmt: skip
