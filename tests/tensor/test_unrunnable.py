"""Ops that differences can't judge: one gives something else each time, others no back end runs here."""

from __future__ import annotations

import numpy as np
import pytest

import gradir

N = "tensor<5xf64>"


@pytest.mark.parametrize("distribution", ["UNIFORM", "NORMAL"])
def test_random_numbers_move_with_their_parameters(distribution: str) -> None:
    """y = a + (b - a) u, or a + b z, whatever was drawn: the tangent belongs to the value that comes with it."""
    module = gradir.load(f"""func.func @f(%a: tensor<f64>, %b: tensor<f64>) -> {N} {{
      %shape = stablehlo.constant dense<5> : tensor<1xi64>
      %y = stablehlo.rng %a, %b, %shape, distribution = {distribution}
        : (tensor<f64>, tensor<f64>, tensor<1xi64>) -> {N}
      return %y : {N}
    }}""")
    a, b, ct = np.float64(1.5), np.float64(4.0), np.arange(5.0)

    def parts(y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        u = (y - a) / (b - a) if distribution == "UNIFORM" else (y - a) / b
        return (1 - u if distribution == "UNIFORM" else np.ones(5)), u

    y, dy = module.jvp("f", wrt=(0, 1)).run("jvp_f", a, b, np.float64(10), np.float64(100))
    by_a, by_b = parts(y)
    np.testing.assert_allclose(dy, 10 * by_a + 100 * by_b)
    y, da, db = module.vjp("f", wrt=(0, 1)).run("vjp_f", a, b, ct)
    by_a, by_b = parts(y)
    np.testing.assert_allclose([da, db], [ct @ by_a, ct @ by_b])
    batched = module.batch("f", 2, name="many").run("many", np.array([0.0, 100.0]), np.array([1.0, 101.0]))
    if distribution == "UNIFORM":
        assert (batched[0] <= 1).all() and (batched[1] >= 100).all()
    assert batched.shape == (2, 5)


def test_unary_einsum() -> None:
    """Its derivative is made of other ops, and they run."""
    module = gradir.load("""func.func @f(%x: tensor<2x3x2xf64>) -> tensor<2x2xf64> {
      %y = "stablehlo.unary_einsum"(%x) {einsum_config = "abc->ca"} : (tensor<2x3x2xf64>) -> tensor<2x2xf64>
      return %y : tensor<2x2xf64>
    }""")
    rng = np.random.default_rng(0)
    x, dx, ct = rng.normal(size=(2, 3, 2)), rng.normal(size=(2, 3, 2)), rng.normal(size=(2, 2))
    y, dy = module.jvp("f").run("jvp_f", x, dx)
    np.testing.assert_allclose(y, np.einsum("abc->ca", x))
    np.testing.assert_allclose(dy, np.einsum("abc->ca", dx))
    _, gradient = module.vjp("f").run("vjp_f", x, ct)
    np.testing.assert_allclose(gradient, np.broadcast_to(ct.T[:, None, :], (2, 3, 2)))
    many = module.batch("f", 2, name="many").run("many", np.stack([x, dx]))
    np.testing.assert_allclose(many, np.stack([y, dy]))
