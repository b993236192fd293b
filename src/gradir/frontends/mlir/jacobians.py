"""``enzyme.jacobian``: a function that asks for one row after the other by `autodiff`, or for columns by `fwddiff`."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from math import prod

from torch_mlir import ir

from gradir.frontends.mlir.requests import Function, callee, read_activities, refusal
from gradir.frontends.mlir.substrate import operations
from gradir.request import Activity, Mode

__all__ = ["lower_jacobian"]


def lower_jacobian(op: ir.Operation, known: Mapping[str, Function], module: ir.Module, number: int) -> None:
    """Replace an op by a call of a function that is written for it, with `enzyme` ops of its own."""
    function = callee(op, known)
    inputs, results = list(function.type.inputs), list(function.type.results)
    pairs = _checked_pairs(op, inputs, results)
    name = f"{function.name}.jacobian{number}"
    said = f", strong_zero = {op.attributes['strong_zero']}" if "strong_zero" in op.attributes else ""
    holder = ir.Module.parse(_Writer(function.name, inputs, results, pairs, said).function(name), module.context)
    made = holder.body.operations[0].operation
    for inner in operations(made):
        inner.location = op.location
    made.detach_from_parent()
    with module.context:
        ir.InsertionPoint(module.body).insert(made)
        symbol = ir.FlatSymbolRefAttr.get(name)
    with op.location, ir.InsertionPoint(op):
        given = [r.type for r in op.results]
        call = ir.Operation.create("func.call", given, list(op.operands), attributes={"callee": symbol})
    for old, new in zip(op.results, call.results, strict=True):
        old.replace_all_uses_with(new)
    op.erase()


# -- Checking --------------------------------------------------------------------------------------------------------

Pair = tuple[int, int]
"""A result and an argument."""


def _checked_pairs(op: ir.Operation, inputs: Sequence[ir.Type], results: Sequence[ir.Type]) -> dict[Pair, bool]:
    """The pairs that the op's results are for, in order, and whether each is active."""
    if "width" in op.attributes:
        raise refusal(op, "has no shadows, so it has no width", "drop the attribute width")
    active = [
        {n for n, a in enumerate(read_activities(op, attribute, kind, len(types), Mode.reverse)) if _is_active(a)}
        for attribute, kind, types in (("ret_activity", "result", results), ("activity", "argument", inputs))
    ]
    for kind, types, marked in (("result", results, active[0]), ("argument", inputs, active[1])):
        for n, t in enumerate(types):
            _check_type(op, f"{kind} {n} has type {t}", t, n in marked)
    every = {(j, i): j in active[0] and i in active[1] for j in range(len(results)) for i in range(len(inputs))}
    pairs = every if len(op.results) == len(every) else {pair: True for pair, is_active in every.items() if is_active}
    _compare(op, "operand", [(f"argument {i}", t) for i, t in enumerate(inputs)], op.operands)
    wanted = [(f"the derivative of result {j} by argument {i}", _outer(results[j], inputs[i])) for j, i in pairs]
    _compare(op, "result", wanted, op.results)
    return pairs


def _is_active(activity: Activity) -> bool:
    return activity not in (Activity.const, Activity.constnoneed)


def _check_type(op: ir.Operation, words: str, t: ir.Type, active: bool) -> None:
    if isinstance(t, (ir.MemRefType, ir.UnrankedMemRefType)) or str(t) == "!llvm.ptr":
        hint = "pass tensors, or ask for products: enzyme.fwddiff or enzyme.autodiff"
        raise refusal(op, f"{words}: the function is called many times, and memory is not the same each time", hint)
    held = isinstance(t, ir.RankedTensorType) and t.has_static_shape
    element = t.element_type if isinstance(t, ir.RankedTensorType) else t
    if active and not (isinstance(element, ir.FloatType) and (held or element == t)):
        hint = "mark it enzyme_const, or ask for products: enzyme.fwddiff or enzyme.autodiff"
        raise refusal(op, f"{words}: Jacobians are of floats and of tensors of floats with a static shape", hint)


def _compare(op: ir.Operation, kind: str, wanted: Sequence[tuple[str, ir.Type]], values: Sequence[ir.Value]) -> None:
    if len(wanted) != len(values):
        listed = ", ".join(words for words, _ in wanted)
        raise refusal(op, f"has {len(wanted)} {kind}s ({listed}), {len(values)} given")
    for n, ((words, t), value) in enumerate(zip(wanted, values, strict=True)):
        if value.type != t:
            raise refusal(op, f"{kind} {n} is {words} and has type {t}, not {value.type}")


def _shape(t: ir.Type) -> list[int]:
    return list(t.shape) if isinstance(t, ir.RankedTensorType) else []


def _element(t: ir.Type) -> ir.Type:
    return t.element_type if isinstance(t, ir.RankedTensorType) else t


def _outer(result: ir.Type, argument: ir.Type) -> ir.Type:
    if not isinstance(result, ir.RankedTensorType) and not isinstance(argument, ir.RankedTensorType):
        return result
    with result.context, ir.Location.unknown():
        return ir.RankedTensorType.get([*_shape(result), *_shape(argument)], _element(result))


# -- Writing ---------------------------------------------------------------------------------------------------------


class _Writer:
    """Writes a function that gives the derivatives of pairs of a result and an argument; of inactive pairs, zeros."""

    def __init__(
        self,
        callee: str,
        inputs: Sequence[ir.Type],
        results: Sequence[ir.Type],
        pairs: Mapping[Pair, bool],
        said: str,
    ) -> None:
        self.callee, self.inputs, self.results, self.pairs, self.said = callee, inputs, results, pairs, said
        self.rows = sorted({j for (j, _), active in pairs.items() if active})
        self.columns = sorted({i for (_, i), active in pairs.items() if active})
        self.lines: list[str] = []
        self.values: dict[Pair, str] = {}

    def function(self, name: str) -> str:
        """The text of the function."""
        reverse = self._by_rows()
        for n in self.rows if reverse else self.columns:
            self._directions(n, reverse)
        for n, ((j, i), active) in enumerate(self.pairs.items()):
            if not active:
                self.values[j, i] = f"%none{n}"
                self._zero(self.values[j, i], _outer(self.results[j], self.inputs[i]))
        types = ", ".join(str(_outer(self.results[j], self.inputs[i])) for j, i in self.pairs)
        parameters = ", ".join(f"%a{i}: {t}" for i, t in enumerate(self.inputs))
        end = f"return {', '.join(self.values[pair] for pair in self.pairs)} : {types}" if types else "return"
        return "\n".join([f"func.func private @{_quoted(name)}({parameters}) -> ({types}) {{", *self.lines, end, "}"])

    def _by_rows(self) -> bool:
        """Whether reverse mode takes fewer calls. Gradients have the arguments' precision: the results must have it."""
        rows, columns = [self.results[j] for j in self.rows], [self.inputs[i] for i in self.columns]
        if len({str(_element(t)) for t in (*rows, *columns)}) > 1:
            return False
        return sum(prod(_shape(t)) for t in rows) <= sum(prod(_shape(t)) for t in columns)

    def _directions(self, n: int, reverse: bool) -> None:
        """One request for each element of a result's cotangent, or of an argument's tangent."""
        t = (self.results if reverse else self.inputs)[n]
        others = self.columns if reverse else self.rows
        made = [(self.inputs if reverse else self.results)[m] for m in others]
        pairs = [(n, m) if reverse else (m, n) for m in others]
        element = _element(t)
        self.lines.append(f"%one{n} = arith.constant 1.0 : {element}")
        if not isinstance(t, ir.RankedTensorType):
            self._request(f"%d{n}", f"%one{n}", n, reverse, made)
            self.values |= zip(pairs, _results(f"%d{n}", len(made)), strict=True)
            return
        self._loop(n, t, reverse, made)
        for pair, value, part in zip(pairs, _results(f"%all{n}", len(made)), made, strict=True):
            name = f"%jacobian{pair[0]}_{pair[1]}"
            self.values[pair] = self._unfolded(name, value, t.shape, _shape(part), _element(part), reverse)

    def _loop(self, n: int, t: ir.RankedTensorType, reverse: bool, made: Sequence[ir.Type]) -> None:
        """Tensors of what each direction gives: the directions are the first dimension, or the last."""
        count, element = prod(t.shape), t.element_type
        flat = f"tensor<{count}x{element}>"
        whole = [_tensor([count, *_shape(m)] if reverse else [*_shape(m), count], _element(m)) for m in made]
        for c, value in (("from", 0), ("to", count), ("step", 1)):
            self.lines.append(f"%{c}{n} = arith.constant {value} : index")
        self.lines.append(f"%zero{n} = arith.constant dense<0.0> : {flat}")
        self.lines += [f"%empty{n}_{k} = tensor.empty() : {w}" for k, w in enumerate(whole)]
        carried = ", ".join(f"%so_far{n}_{k} = %empty{n}_{k}" for k in range(len(made)))
        self.lines.append(
            f"%all{n}{f':{len(made)}' if len(made) > 1 else ''} = scf.for %k{n} = %from{n} to %to{n} step %step{n}"
            f" iter_args({carried}) -> ({', '.join(whole)}) {{"
        )
        self.lines.append(f"%flat{n} = tensor.insert %one{n} into %zero{n}[%k{n}] : {flat}")
        unit = self._unfolded(f"%unit{n}", f"%flat{n}", t.shape, [], element, True)
        self._request(f"%d{n}", unit, n, reverse, made)
        for k, (value, m, w) in enumerate(zip(_results(f"%d{n}", len(made)), made, whole, strict=True)):
            self._put(f"%with{n}_{k}", value, m, f"%so_far{n}_{k}", w, f"%k{n}", reverse)
        self.lines.append(f"scf.yield {', '.join(f'%with{n}_{k}' for k in range(len(made)))} : {', '.join(whole)}\n}}")

    def _put(self, name: str, value: str, t: ir.Type, into: str, whole: str, k: str, first: bool) -> None:
        if not isinstance(t, ir.RankedTensorType):
            self.lines.append(f"{name} = tensor.insert {value} into {into}[{k}] : {whole}")
            return
        sizes, rank = [str(size) for size in t.shape], len(t.shape)
        offsets, sizes = ([k, *["0"] * rank], ["1", *sizes]) if first else ([*["0"] * rank, k], [*sizes, "1"])
        where = "".join(f"[{', '.join(part)}]" for part in (offsets, sizes, ["1"] * (rank + 1)))
        self.lines.append(f"{name} = tensor.insert_slice {value} into {into}{where} : {t} into {whole}")

    def _unfolded(
        self, name: str, value: str, shape: Sequence[int], inner: Sequence[int], element: ir.Type, first: bool
    ) -> str:
        """A tensor whose first or last dimension, which counts the elements of a shape, becomes that shape."""
        rank, count = len(shape), [prod(shape)]
        before = _tensor([*count, *inner] if first else [*inner, *count], element)
        sizes = [*shape, *inner] if first else [*inner, *shape]
        if rank == 1:
            return value
        if rank == 0:  # one element: its dimension goes with a neighbour
            groups = [[d + 1] if first else [d] for d in range(len(inner))]
            if groups:
                groups[0 if first else -1] = [0, 1] if first else [len(inner) - 1, len(inner)]
            op, sized = "collapse", ""
        else:
            spread = [list(range(rank))] if first else [list(range(len(inner), len(inner) + rank))]
            kept = [[d + rank] if first else [d] for d in range(len(inner))]
            groups = [*spread, *kept] if first else [*kept, *spread]
            op, sized = "expand", f" output_shape {sizes}"
        after = _tensor(sizes, element)
        self.lines.append(f"{name} = tensor.{op}_shape {value} {groups}{sized} : {before} into {after}")
        return name

    def _request(self, name: str, seed: str, n: int, reverse: bool, made: Sequence[ir.Type]) -> None:
        if reverse:
            operands, types = [f"%a{i}" for i in range(len(self.inputs))], list(self.inputs)
            operands.append(seed)
            types.append(self.results[n])
            activity = ["active" if i in self.columns else "const" for i in range(len(self.inputs))]
            ret_activity = ["activenoneed" if j == n else "constnoneed" for j in range(len(self.results))]
        else:
            operands, types = [], []
            for i, t in enumerate(self.inputs):
                operands += [f"%a{i}", seed] if i == n else [f"%a{i}"]
                types += [t, t] if i == n else [t]
            activity = ["dup" if i == n else "const" for i in range(len(self.inputs))]
            ret_activity = ["dupnoneed" if j in self.rows else "constnoneed" for j in range(len(self.results))]
        count = f":{len(made)}" if len(made) > 1 else ""
        said = f"fn = @{_quoted(self.callee)}, activity = {_listed(activity)}, ret_activity = {_listed(ret_activity)}"
        self.lines.append(
            f'{name}{count} = "enzyme.{"autodiff" if reverse else "fwddiff"}"({", ".join(operands)})'
            f" {{{said}{self.said}}} : ({', '.join(map(str, types))}) -> ({', '.join(map(str, made))})"
        )

    def _zero(self, name: str, t: ir.Type) -> None:
        value = "dense<0.0>" if isinstance(t, ir.RankedTensorType) else "0.0"
        self.lines.append(f"{name} = arith.constant {value} : {t}")


def _results(name: str, count: int) -> list[str]:
    return [name] if count == 1 else [f"{name}#{k}" for k in range(count)]


def _tensor(sizes: Collection[int], element: ir.Type) -> str:
    return f"tensor<{''.join(f'{n}x' for n in sizes)}{element}>"


def _listed(activities: Sequence[str]) -> str:
    return f"[{', '.join(f'#enzyme<activity enzyme_{a}>' for a in activities)}]"


def _quoted(symbol: str) -> str:
    return f'"{symbol}"'
