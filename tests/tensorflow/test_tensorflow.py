"""TensorFlow's functions differentiated, and functions from elsewhere in Keras layers that train.

TensorFlow takes 1.3 GB and seconds to import, so the environment of the tests doesn't have it unless it is asked for:
`pip install 'gradir[tensorflow]'`.
"""

import os

import numpy as np
import pytest

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
tf = pytest.importorskip("tensorflow")

import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402
import numba  # noqa: E402

import gradir  # noqa: E402
import gradir.tensorflow  # noqa: E402
from gradir.errors import InputError, RequestError  # noqa: E402

KERNELS = """
#include <math.h>
void curve(const double *x, double *r, int n, double k) { for (int i = 0; i < n; i++) r[i] = sin(k * x[i]) * x[0]; }
"""

FORTRAN = """
subroutine wave(u, v, n, c)
  integer, intent(in) :: n
  real(8), intent(in) :: u(n), c
  real(8), intent(out) :: v(n)
  integer :: i
  do i = 1, n
    v(i) = c * sin(u(i)) + u(1)
  end do
end subroutine
"""


@pytest.fixture(scope="module")
def m(loaded):
    return loaded("kernels.c", KERNELS)


@pytest.fixture(scope="module")
def fortran(loaded):
    return loaded("wave.f90", FORTRAN)


def test_functions_of_tensorflow():
    w, b = tf.Variable(np.random.default_rng(0).normal(size=(3, 2))), tf.Variable([0.5, -0.5], dtype=tf.float64)

    @tf.function(jit_compile=True)
    def loss(x):
        return tf.reduce_mean(tf.tanh(x @ w + b) ** 2)

    x = tf.constant(np.random.default_rng(1).normal(size=(4, 3)))
    with tf.GradientTape() as tape:
        wanted = loss(x)
    value, gradients = gradir.tensorflow.value_and_grad(loss)(x)
    assert np.allclose(value, wanted, rtol=1e-14)
    for found, expected in zip(gradients, tape.gradient(wanted, [w, b]), strict=True):
        assert np.allclose(found, expected, rtol=1e-12)
    module = gradir.tensorflow.load(loss, x)
    slope = module.grad("main", wrt=0).run("grad_main", x.numpy(), w.numpy(), b.numpy())
    assert slope.shape == (4, 3)
    with pytest.raises(RequestError, match="captures no variable"):
        gradir.tensorflow.value_and_grad(lambda x: tf.reduce_sum(x))(x)


def reference(x, k):
    return tf.sin(k * x) * x[..., :1]


def pulled(f, *inputs):
    """What TensorFlow says of a function's value and gradients, by the variables that are given last."""
    *inputs, variables = inputs
    with tf.GradientTape() as tape:
        value = f(*inputs)
    return value, tape.gradient(value, variables)


@tf.custom_gradient
def tenfold(x):
    return x * x, lambda dy: 10 * dy


W = tf.Variable([1.0, 2.0])
LOST = {
    "tf.stop_gradient": lambda x: tf.stop_gradient(W) * x * W,
    "tf.custom_gradient": lambda x: tenfold(W) * x,
    "a fake quantisation": lambda x: tf.quantization.fake_quant_with_min_max_args(W) * x,
    "a quantisation": lambda x: tf.quantization.quantize_and_dequantize_v2(W, -6, 6) * x,
}


@pytest.mark.parametrize("what", LOST)
def test_derivatives_that_programs_for_xla_have_lost_are_refused(what):
    """(They were those of the program, without a word.)"""
    x = tf.constant([0.5, 0.7])

    @tf.function
    def in_a_loop_of_a_function(x):
        return tf.while_loop(lambda i, s: i < 2, lambda i, s: (i + 1, s * LOST[what](x)), (0, x))[1]

    for f in (LOST[what], in_a_loop_of_a_function):
        for ask in (gradir.tensorflow.value_and_grad, lambda f: lambda x, f=f: gradir.tensorflow.load(f, x)):
            with pytest.raises(RequestError, match=f"test_tensorflow.py:\\d+: {what} is not in the program"):
                ask(lambda x, f=f: tf.reduce_sum(f(x)))(x)


def test_functions_of_tensorflow_that_end_no_derivative():
    """They stop gradients that are zero anyway, or write out the one that there is."""

    def f(x):
        return tf.reduce_sum(tf.nn.silu(W) * x) + tf.reduce_logsumexp(W) + tf.nn.moments(W * W, [0])[1]

    x = tf.constant([0.5, 0.7])
    value, gradients = gradir.tensorflow.value_and_grad(f)(x)
    wanted = pulled(f, x, [W])
    assert np.allclose(value, wanted[0], rtol=1e-6)
    assert np.allclose(gradients, wanted[1], rtol=1e-6)


def test_variables_that_are_assigned_to():
    """A batch norm's averages: they were taken for gradients, and stayed as they were."""
    norm = tf.keras.layers.BatchNormalization()
    x, y = (tf.constant(np.random.default_rng(i).normal(size=(6, 2)), tf.float32) for i in range(2))
    norm(x)
    before = [v.numpy() for v in norm.variables]

    def loss(x, y):
        return tf.reduce_mean((norm(x, training=True) - y) ** 2)

    wanted = pulled(loss, x, y, norm.trainable_variables)
    after = [v.numpy() for v in norm.variables]
    for variable, value in zip(norm.variables, before, strict=True):
        variable.assign(value)
    value, gradients = gradir.tensorflow.value_and_grad(loss, norm.trainable_variables)(x, y)
    assert np.allclose(value, wanted[0], rtol=1e-6)
    assert len(gradients) == 2
    for ours, theirs in zip(gradients, wanted[1], strict=True):
        assert np.allclose(ours, theirs, rtol=1e-5)
    assert not np.allclose(after[2], before[2])
    for variable, value in zip(norm.variables, after, strict=True):
        assert np.allclose(variable, value, rtol=1e-6)


def test_variables_by_choice_and_inputs_in_dictionaries():
    b, count, unused = tf.Variable([3.0, 4.0]), tf.Variable(2), tf.Variable(1.0)

    def loss(batch):
        return tf.reduce_sum(W * batch["a"] + W * b * batch["b"][0] * tf.cast(count, tf.float32))

    batch = {"b": (tf.constant([0.5, 0.7]),), "a": tf.constant([2.0, 3.0])}
    variables = [b, unused, count, W]
    value, gradients = gradir.tensorflow.value_and_grad(loss, variables)(batch)
    wanted = pulled(loss, batch, variables)
    assert np.allclose(value, wanted[0], rtol=1e-6)
    assert [g is None for g in gradients] == [False, True, True, False] == [g is None for g in wanted[1]]
    for ours, theirs in zip(gradients, wanted[1], strict=True):
        assert ours is theirs is None or np.allclose(ours, theirs, rtol=1e-6)


def test_what_is_no_argument_of_the_program_is_said():
    x = tf.constant([0.5, 0.7])
    with pytest.raises(InputError, match=r"of 3 inputs and captured values TensorFlow's compiler takes 2"):
        gradir.tensorflow.value_and_grad(lambda x, n: tf.reduce_sum(tf.tile(W * x, n)))(x, tf.constant([2]))
    with pytest.raises(RequestError, match="gives 2 results, and gradients are of one number"):
        gradir.tensorflow.value_and_grad(lambda x: (tf.reduce_sum(W * x), x))(x)


def test_native_functions(m):
    curve = gradir.tensorflow.function(m.curve, r="x", n=lambda x: len(x))
    x, k = tf.constant([0.3, 0.7, 1.1], tf.float64), tf.constant(0.7, tf.float64)
    for run in (lambda f: f, tf.function):
        found = []
        for f in (curve, reference):

            @run
            def second(x, k, f=f):
                with tf.GradientTape() as outer:
                    outer.watch([x, k])
                    with tf.GradientTape() as inner:
                        inner.watch([x, k])
                        value = tf.reduce_sum(f(x, k) ** 2)
                    first = inner.gradient(value, [x, k])
                    total = tf.reduce_sum(first[0] ** 2) + first[1]
                return [*first, *outer.gradient(total, [x, k])]

            found.append(second(x, k))
        for ours, theirs in zip(*found, strict=True):
            assert np.allclose(ours, theirs, rtol=1e-12)
    with pytest.raises(InputError, match="'x' must be a tensor of float64, not one of float32"):
        curve(tf.zeros(3), 1.0)
    with pytest.raises(InputError, match="curve takes x, k, and 1 arguments came"):
        curve(x)


def test_keras_layers_that_train(m, fortran):
    """A C kernel, a Fortran kernel, a Numba function and a StableHLO function, each in a layer, in one model."""

    @numba.njit
    def weighed(x, k, r):
        for i in range(x.shape[0]):
            r[i] = x[i] * k + x[0]

    from_numba = gradir.load(weighed, signature="void(float64[::1], float64, float64[::1])")
    with jax.enable_x64(True):
        squash = gradir.load(jax.jit(lambda x, k: jnp.tanh(x * k)).lower(jnp.zeros(4), jnp.zeros(())))
    functions = [
        gradir.tensorflow.function(m.curve, r="x", n=lambda x: len(x), batch="x"),
        gradir.tensorflow.function(fortran.wave, v="u", n=lambda u: len(u), batch="u"),
        gradir.tensorflow.function(from_numba, r="x", batch="x"),
        gradir.tensorflow.function(squash, batch=[0]),
    ]

    class Scaled(tf.keras.layers.Layer):
        def __init__(self, f):
            super().__init__(dtype="float64")
            self.f = f
            self.k = self.add_weight(shape=(), initializer="ones")

        def call(self, x):
            return self.f(x, self.k)

    tf.keras.utils.set_random_seed(0)
    dense = [tf.keras.layers.Dense(4, dtype="float64") for _ in range(2)]
    model = tf.keras.Sequential([dense[0], *map(Scaled, functions), dense[1]])
    model.compile("adam", "mse", jit_compile=False)
    rng = np.random.default_rng(0)
    x = rng.normal(size=(32, 3))
    y = np.sin(x @ rng.normal(size=(3, 4)))
    before = [layer.k.numpy() for layer in model.layers[1:5]]
    history = model.fit(x, y, epochs=40, batch_size=16, verbose=0).history["loss"]
    assert history[-1] < 0.7 * history[0]
    assert all(layer.k.numpy() != k for layer, k in zip(model.layers[1:5], before, strict=True))
