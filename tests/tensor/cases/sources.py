"""Ops that give values of their own: random bits, the numbers of devices, tokens. They have no derivative."""

from __future__ import annotations

from cases import case, normal

V, STATE = "tensor<2xf64>", "tensor<2xui64>"

for bits, algorithm in [("ui32", "THREE_FRY"), ("ui64", "PHILOX"), ("ui32", "DEFAULT")]:
    t = f"tensor<2x{bits}>"
    case(
        "stablehlo.rng_bit_generator",
        f"{algorithm.lower()} {bits} times a value",
        f"""func.func public @f(%x: {V}, %s: {STATE}) -> ({V}, {STATE}) {{
          %next, %bits = stablehlo.rng_bit_generator %s, algorithm = {algorithm} : ({STATE}) -> ({STATE}, {t})
          %n = stablehlo.convert %bits : ({t}) -> {V}
          %y = stablehlo.multiply %n, %x : {V}
          return %y, %next : {V}, {STATE}
        }}""",
        lambda rng: [rng.normal(size=2), rng.integers(0, 99, 2).astype("uint64")],
        step=1e-3,  # of a linear function, with a factor of 10^9
        backends=("xla",),  # the reference interpreter has no random numbers
    )
for op in ("replica_id", "partition_id"):
    case(
        f"stablehlo.{op}",
        "times a value",
        f"""func.func public @f(%x: tensor<f64>) -> tensor<f64> {{
          %i = stablehlo.{op} : tensor<ui32>
          %n = stablehlo.convert %i : (tensor<ui32>) -> tensor<f64>
          %one = stablehlo.constant dense<1.0> : tensor<f64>
          %m = stablehlo.add %n, %one : tensor<f64>
          %y = stablehlo.multiply %m, %x : tensor<f64>
          return %y : tensor<f64>
        }}""",
        normal(()),
        backends=("xla",),  # the reference interpreter has one device, without a number
    )
for op in ("create_token", "after_all"):
    case(
        f"stablehlo.{op}",
        "beside a value",
        f"""func.func public @f(%x: {V}) -> {V} {{
          %a = stablehlo.create_token : !stablehlo.token
          %b = stablehlo.after_all %a, %a : !stablehlo.token
          %y = stablehlo.sine %x : {V}
          return %y : {V}
        }}""",
        normal((2,)),
    )
