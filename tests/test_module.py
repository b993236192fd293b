"""The derivatives of `Module` by name: what each takes and gives, against formulas; bad requests are refused."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import gradir
from gradir.errors import RequestError
from gradir.tensor.ir import module as mlir

X, Y = 0.5, 2.0
S, C = np.sin(X), np.cos(X)

# f(x, y) = (sin(x) y², sin(x) y, 7) and v(x, n) = sin(x) x
PROGRAM = """
func.func @f(%x: tensor<f64>, %y: tensor<f64>) -> (tensor<f64>, tensor<f64>, tensor<i32>) {
  %s = stablehlo.sine %x : tensor<f64>
  %r = stablehlo.multiply %s, %y : tensor<f64>
  %t = stablehlo.multiply %r, %y : tensor<f64>
  %i = stablehlo.constant dense<7> : tensor<i32>
  return %t, %r, %i : tensor<f64>, tensor<f64>, tensor<i32>
}
func.func @v(%x: tensor<3xf64>, %n: tensor<3xi32>) -> tensor<3xf64> {
  %s = stablehlo.sine %x : tensor<3xf64>
  %r = stablehlo.multiply %s, %x : tensor<3xf64>
  return %r : tensor<3xf64>
}
func.func @count(%x: tensor<f64>) -> tensor<i32> {
  %n = stablehlo.convert %x : (tensor<f64>) -> tensor<i32>
  return %n : tensor<i32>
}
"""
DIAGONAL = np.diag(np.cos([1.0, 2.0, 3.0]) * [1, 2, 3] + np.sin([1.0, 2.0, 3.0]))


@pytest.fixture(scope="module")
def m() -> gradir.Module:
    return gradir.load(PROGRAM)


BACKENDS = ["xla", "reference"]


@pytest.mark.parametrize("backend", BACKENDS)
def test_derivatives(m: gradir.Module, backend: str):
    def close(module: gradir.Module, name: str, arguments: tuple, want: tuple) -> None:
        result = module.run(name, *arguments, backend=backend)
        result = result if isinstance(result, tuple) else (result,)
        assert len(result) == len(want)
        for got, expected in zip(result, want, strict=True):
            np.testing.assert_allclose(got, expected, rtol=1e-12)

    close(m.grad("f"), "grad_f", (X, Y), (C * Y**2,))
    close(m.grad("f", -1), "grad_f", (X, Y), (2 * S * Y,))
    close(m.grad("f", (1, 0)), "grad_f", (X, Y), (2 * S * Y, C * Y**2))
    close(m.value_and_grad("f"), "value_and_grad_f", (X, Y), (S * Y**2, S * Y, 7, C * Y**2))
    vjp = (S * Y**2, S * Y, 7, 2 * S * Y + 10 * S, C * Y**2 + 10 * C * Y)
    close(m.vjp("f", (1, 0)), "vjp_f", (X, Y, 1.0, 10.0), vjp)
    jvp = (S * Y**2, S * Y, 7, 2 * S * Y + 10 * C * Y**2, S + 10 * C * Y)
    close(m.jvp("f", (1, 0)), "jvp_f", (X, Y, 1.0, 10.0), jvp)
    for mode in ("auto", "forward", "reverse"):
        close(m.jacobian("f", (1, 0), mode=mode), "jacobian_f", (X, Y), (2 * S * Y, C * Y**2, S, C * Y))
        close(m.jacobian("v", mode=mode), "jacobian_v", ([1.0, 2.0, 3.0], [0, 0, 0]), (DIAGONAL,))
    close(m.hessian("f", (1, 0)), "hessian_f", (X, Y), (2 * S, 2 * C * Y, 2 * C * Y, -S * Y**2))
    xs = np.array([0.5, 1.0, 2.0])
    close(m.batch("f", 3), "batch_f", (xs, xs), (np.sin(xs) * xs**2, np.sin(xs) * xs, [7, 7, 7]))
    close(m.batch("f", 3, in_axes=(0, None)), "batch_f", (xs, Y), (np.sin(xs) * Y**2, np.sin(xs) * Y, [7, 7, 7]))
    columns = np.arange(6.0).reshape(3, 2)
    close(m.batch("v", 2, in_axes=(-1, None)), "batch_v", (columns, [0, 0, 0]), ((np.sin(columns) * columns).T,))


def test_derivatives_nest(m: gradir.Module):
    third = m.grad("f").grad("grad_f").grad("grad_grad_f", name="third")
    np.testing.assert_allclose(third.run("third", X, Y), -C * Y**2)
    tangent = m.grad("f").jvp("grad_f").batch("jvp_grad_f", 2, in_axes=(0, None, None))
    np.testing.assert_allclose(tangent.run("batch_jvp_grad_f", [X, 0.0], Y, 1.0)[1], [-S * Y**2, 0.0], atol=1e-12)


def test_modules_do_not_change(m: gradir.Module):
    before = str(m)
    made = m.grad("f")
    assert str(m) == before and list(made.functions) == [*m.functions, "grad_f"]
    module = made.ir
    mlir.verify(module)
    assert str(gradir.load(str(made))) == str(made)


def test_a_derivative_knows_its_source(m: gradir.Module):
    made = gradir.load(jax.jit(lambda speed, angle: jnp.sin(angle) * speed).lower(1.0, 2.0)).vjp(wrt=1)
    assert str(made.function("vjp_main")).startswith("vjp_main(speed: tensor<f32>, angle: tensor<f32>, tensor<f32>)")


def test_arguments_by_name():
    m = gradir.load(jax.jit(lambda speed, angle: jnp.sin(angle) * speed).lower(1.0, 2.0))
    for how in ("angle", ["angle"]):
        assert str(m.vjp(wrt=how)) == str(m.vjp(wrt=1))
    assert str(m.jacobian(wrt=("angle", 0))) == str(m.jacobian(wrt=(1, 0)))
    assert m.report(wrt="angle").model.lines == m.report(wrt=-1).model.lines
    with pytest.raises(RequestError, match=r"no argument 'angel'[^\0]*did you mean angle\?"):
        m.hessian(wrt="angel")


def test_enzyme_ops_are_lowered_on_the_way():
    m = gradir.load(
        PROGRAM
        + """
        func.func @df(%x: tensor<f64>, %y: tensor<f64>) -> tensor<f64> {
          %one = stablehlo.constant dense<1.0> : tensor<f64>
          %zero = stablehlo.constant dense<0.0> : tensor<f64>
          %0 = enzyme.autodiff @f(%x, %y, %one, %zero) {
            activity = [#enzyme<activity enzyme_active>, #enzyme<activity enzyme_const>],
            ret_activity = [#enzyme<activity enzyme_activenoneed>, #enzyme<activity enzyme_activenoneed>,
                            #enzyme<activity enzyme_constnoneed>]
          } : (tensor<f64>, tensor<f64>, tensor<f64>, tensor<f64>) -> tensor<f64>
          return %0 : tensor<f64>
        }"""
    )
    assert "enzyme" in str(m) and "enzyme" not in str(m.lower())
    np.testing.assert_allclose(m.run("df", X, Y), C * Y**2)
    np.testing.assert_allclose(m.grad("df").run("grad_df", X, Y), -S * Y**2)


def test_shardings_follow_the_arguments():
    text = """module attributes {mhlo.num_partitions = 4 : i32} {
      sdy.mesh @mesh = <["x"=4]>
      func.func @f(%x: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %y: tensor<8xf32>)
          -> tensor<8xf32> {
        %z = stablehlo.multiply %x, %y : tensor<8xf32>
        return %z : tensor<8xf32>
      }
    }"""
    made = gradir.load(text).vjp("f")
    head = next(line for line in str(made).splitlines() if "@vjp_f" in line)
    assert head.count('[{"x"}]') == 2 and head.rstrip().endswith('#sdy.sharding<@mesh, [{"x"}]>}) {')
    x, y, dz = np.arange(8, dtype=np.float32), np.full(8, 2, np.float32), np.full(8, 3, np.float32)
    z, dx = made.run("vjp_f", jnp.asarray(x), y, dz)
    assert len(dx.sharding.device_set) == 4 and dx.addressable_shards[0].data.shape == (2,)
    np.testing.assert_array_equal(z, x * y)
    np.testing.assert_array_equal(dx, y * dz)


BAD = {
    "grad of a vector": (lambda m: m.grad("v"), "the first result of @v is tensor<3xf64>"),
    "grad of an integer": (lambda m: m.grad("count"), "the first result of @count is tensor<i32>"),
    "hessian of a vector": (lambda m: m.hessian("v"), "a gradient is of a real scalar"),
    "vjp without float results": (lambda m: m.vjp("count"), "gives tensor<i32>, which has no derivative"),
    "jvp without float results": (lambda m: m.jvp("count"), "which has no derivative"),
    "jacobian without float results": (lambda m: m.jacobian("count"), "which has no derivative"),
    "no such argument": (lambda m: m.grad("f", 2), "wrt=2: @f has 2 arguments"),
    "no such name": (lambda m: m.grad("f", "z"), "no argument 'z'[^\0]*have no names: give numbers"),
    "no number": (lambda m: m.grad("f", 0.5), "wrt=0.5[^\0]*by number or name"),
    "nothing at all": (lambda m: m.jvp("f", None), "wrt=None"),
    "no argument": (lambda m: m.grad("f", ()), "name each argument once"),
    "an argument twice": (lambda m: m.grad("f", (0, -2)), "name each argument once"),
    "an integer argument": (lambda m: m.vjp("v", 1), "argument 1 of @v is tensor<3xi32>"),
    "a name that is taken": (lambda m: m.grad("f", name="v"), "there is a function @v already"),
    "mode": (lambda m: m.jacobian("f", mode="sideways"), "sideways"),
    "batch of nothing": (lambda m: m.batch("f", 0), "the size is at least 1"),
    "batch axes": (lambda m: m.batch("f", 2, in_axes=(0,)), "in_axes has 1 entries for the 2 arguments"),
    "batch axis out of range": (lambda m: m.batch("v", 2, in_axes=(2, 0)), r"in_axes\[0\]=2"),
    "nothing to batch": (lambda m: m.batch("f", 2, in_axes=(None, None)), "at least one argument"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_requests(m: gradir.Module, case: str):
    ask, message = BAD[case]
    with pytest.raises(RequestError, match=message):
        ask(m)
