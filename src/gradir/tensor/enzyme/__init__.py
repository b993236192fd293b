"""The `enzyme` dialect: reading, verifying, building and lowering.

It asks for derivatives within a program: `enzyme.autodiff` (reverse mode), `enzyme.fwddiff` (forward mode),
`enzyme.jacobian` and `enzyme.batch` of a function, `enzyme.autodiff_region` and `enzyme.fwddiff_region` of a body, and
`enzyme.ignore_derivatives`, which stops them. The calling convention is that of `gradir.request`.
"""

from gradir.request import Activity
from gradir.tensor.enzyme.builders import (
    autodiff,
    autodiff_region,
    batch,
    fwddiff,
    fwddiff_region,
    ignore_derivatives,
    jacobian,
)
from gradir.tensor.enzyme.canonical import canonicalise
from gradir.tensor.enzyme.dialect import activity_array, activity_attr, normalise, read_activity
from gradir.tensor.enzyme.lower import lower, lower_requests
from gradir.tensor.enzyme.verify import verify
from gradir.tensor.ir.enzyme_syntax import to_generic

__all__ = [
    "Activity",
    "activity_array",
    "activity_attr",
    "autodiff",
    "autodiff_region",
    "batch",
    "canonicalise",
    "fwddiff",
    "fwddiff_region",
    "ignore_derivatives",
    "jacobian",
    "lower",
    "lower_requests",
    "normalise",
    "read_activity",
    "to_generic",
    "verify",
]
