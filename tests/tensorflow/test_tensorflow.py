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
