"""The words of the `enzyme` dialect: names of ops, attributes, and the one form in which gradir holds an op.

In that form all of an op's attributes, properties included, stand in its ordinary dictionary: the bindings can't see
the properties of an op without C++. Enzyme's own tools read this form too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from jaxlib.mlir import ir

from gradir.errors import RequestError
from gradir.request import Activity, Mode
from gradir.tensor.ir.enzyme_syntax import properties
from gradir.tensor.ir.module import location_text

__all__ = [
    "BATCH",
    "CALLS",
    "DIFFERENTIATE",
    "IGNORE",
    "JACOBIAN",
    "REGIONS",
    "YIELD",
    "activity_array",
    "activity_attr",
    "normalise",
    "operations",
    "read_activity",
    "refusal",
]

DIFFERENTIATE = {"enzyme.autodiff": Mode.reverse, "enzyme.fwddiff": Mode.forward}
REGIONS = {f"{name}_region": name for name in DIFFERENTIATE}
"""The ops that differentiate their own body, with the op that does the same to a function."""
JACOBIAN = "enzyme.jacobian"
BATCH = "enzyme.batch"
CALLS = (*DIFFERENTIATE, JACOBIAN, BATCH)
"""The ops that name a function in `fn`."""
IGNORE = "enzyme.ignore_derivatives"
YIELD = "enzyme.yield"

_ACTIVITY = re.compile(r"#enzyme(?:\.activity<|<activity )enzyme_(\w+)>")


def activity_attr(activity: Activity, of: ir.Context | None = None) -> ir.Attribute:
    """In a context (the current one, if none is given).

    >>> from gradir.tensor.ir.context import context
    >>> print(activity_attr(Activity.active, context()))
    #enzyme.activity<enzyme_active>
    """
    return ir.Attribute.parse(f"#enzyme.activity<{activity.attribute_name}>", of)


def activity_array(activities: Iterable[Activity], of: ir.Context | None = None) -> ir.ArrayAttr:
    return ir.ArrayAttr.get([activity_attr(a, of) for a in activities], of)


def read_activity(attribute: ir.Attribute) -> Activity | None:
    """What an activity attribute says, in either spelling; None if it isn't one.

    >>> from gradir.tensor.ir.context import context
    >>> read_activity(ir.Attribute.parse("#enzyme<activity enzyme_dup>", context())).name
    'dup'
    """
    found = _ACTIVITY.fullmatch(str(attribute))
    return Activity.__members__.get(found[1]) if found else None


def refusal(op: ir.Operation, message: str, hint: str | None = None) -> RequestError:
    """The error that says what is wrong with `op`."""
    function = f" {op.attributes['fn']}" if op.name in CALLS and "fn" in op.attributes else ""
    return RequestError(f"{op.name}{function}: {message}", location=location_text(op.location), hint=hint)


def operations(module: ir.Module) -> list[ir.Operation]:
    """The `enzyme` ops of a module; those within another's region come before it."""
    found: list[ir.Operation] = []

    def visit(op: ir.Operation) -> ir.WalkResult:
        if op.name.startswith("enzyme."):
            found.append(op)
        return ir.WalkResult.ADVANCE

    module.operation.walk(visit, ir.WalkOrder.POST_ORDER)
    return found


def normalise(module: ir.Module) -> None:
    """Bring every `enzyme` op, in place, into gradir's form: no properties, one spelling of the activities."""
    for found in operations(module):
        op = found
        text = op.get_asm(skip_regions=True, use_local_scope=True)
        assert isinstance(text, str)
        if hidden := properties(text):
            op = _with_attributes(op, ir.DictAttr(ir.Attribute.parse(hidden, op.context)))
        for name in ("activity", "ret_activity"):
            if isinstance(array := op.attributes.get(name), ir.ArrayAttr):
                op.attributes[name] = _respelled(array)


def _respelled(array: ir.ArrayAttr) -> ir.ArrayAttr:
    read = ((a, read_activity(a)) for a in array)
    of = array.context
    return ir.ArrayAttr.get([a if known is None else activity_attr(known, of) for a, known in read], of)


def _with_attributes(op: ir.Operation, extra: ir.DictAttr) -> ir.Operation:
    """Replace an op by one that has `extra` among its attributes and no properties."""
    added = (extra[n] for n in range(len(extra)))
    attributes = dict(op.attributes.items()) | {a.name: a.attr for a in added}
    made = ir.Operation.create(
        op.name,
        results=[r.type for r in op.results],
        operands=list(op.operands),
        attributes=attributes,
        regions=len(op.regions),
        loc=op.location,
        ip=ir.InsertionPoint(op),
    )
    for region, target in zip(op.regions, made.regions, strict=True):
        for block in list(region.blocks):
            block.append_to(target)
    for old, new in zip(op.results, made.results, strict=True):
        old.replace_all_uses_with(new)
    op.erase()
    return made
