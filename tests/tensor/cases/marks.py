"""Ops that compute nothing of their own."""

from __future__ import annotations

from cases import case, normal

T, ROW = "tensor<2x2xf64>", "tensor<1x2xf64>"
MESH = 'sdy.mesh @mesh = <["x"=2, "y"=2]>'


def module(body: str, mesh: str = "", arguments: int = 1, results: int = 1) -> str:
    given = ", ".join(f"%x{k}: {T}" for k in range(arguments))
    types = ", ".join([T] * results)
    names = ", ".join(f"%y#{k}" if "%y:" in body else f"%y{k}" for k in range(results))
    devices = "attributes {mhlo.num_partitions = 4 : i32} " if mesh else ""
    function = f"func.func public @f({given}) -> ({types}) {{\n{body}\nreturn {names} : {types} }}"
    return f"module {devices}{{ {mesh}\n{function} }}"


case(
    "stablehlo.optimization_barrier",
    "of several",
    module(
        f"""%0 = stablehlo.sine %x0 : {T}
        %1:3 = stablehlo.optimization_barrier %0, %x1, %x0 : {T}, {T}, {T}
        %y0 = stablehlo.multiply %1#0, %1#1 : {T}
        %y1 = stablehlo.add %1#2, %1#0 : {T}""",
        arguments=2,
        results=2,
    ),
    normal((2, 2), (2, 2)),
)
case(
    "stablehlo.composite",
    "as its decomposition",
    f"""module {{
      func.func public @f(%x: {T}, %y: {T}) -> {T} {{
        %0 = stablehlo.composite "my.product" %x, %y {{decomposition = @product, version = 1 : i32}} : ({T}, {T}) -> {T}
        return %0 : {T}
      }}
      func.func private @product(%x: {T}, %y: {T}) -> {T} {{
        %0 = stablehlo.sine %x : {T}
        %1 = stablehlo.multiply %0, %y : {T}
        return %1 : {T}
      }}
    }}""",
    normal((2, 2), (2, 2)),
)

SPLIT = '<@mesh, [{"x"}, {}]>'
# XLA takes no reshard from outside; the reference interpreter has one device, on which it does nothing.
case(
    "sdy.reshard",
    "on one device",
    module(f"%y0 = sdy.reshard %x0 {SPLIT} : {T}", MESH).replace("mhlo.num_partitions = 4", "mhlo.num_partitions = 1"),
    normal((2, 2)),
    backends=("reference",),
)
# Four devices, whatever they are for: only XLA has them.
for _name, _rest in {"sharding_constraint": SPLIT, "propagation_barrier": "allowed_direction=FORWARD"}.items():
    case(
        f"sdy.{_name}",
        "on four devices",
        module(f"%y0 = sdy.{_name} %x0 {_rest} : {T}", MESH),
        normal((2, 2)),
        backends=("xla",),
    )
case(
    "sdy.manual_computation",
    "on four devices",
    module(
        f"""%y:2 = sdy.manual_computation(%x0, %x1) in_shardings=[{SPLIT}, <@mesh, [{{}}, {{"y"}}]>]
        out_shardings=[<@mesh, [{{"x"}}, {{"y"}}]>, {SPLIT}] manual_axes={{"x", "y"}}
        (%a: {ROW}, %b: tensor<2x1xf64>) {{
          %0 = stablehlo.tanh %a : {ROW}
          %1 = stablehlo.exponential %0 : {ROW}
          %2 = stablehlo.dot_general %1, %b, contracting_dims = [1] x [0]
            : ({ROW}, tensor<2x1xf64>) -> tensor<1x1xf64>
          %3 = stablehlo.multiply %0, %1 : {ROW}
          sdy.return %2, %3 : tensor<1x1xf64>, {ROW}
        }} : ({T}, {T}) -> ({T}, {T})""",
        MESH,
        arguments=2,
        results=2,
    ),
    normal((2, 2), (2, 2)),
    backends=("xla",),
)
case(
    "custom_call @Sharding",
    "on one device",
    module(f'%y0 = stablehlo.custom_call @Sharding(%x0) {{mhlo.sharding = "{{replicated}}"}} : ({T}) -> {T}'),
    normal((2, 2)),
    backends=("xla",),
)
