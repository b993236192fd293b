"""Native and StableHLO functions as PyTorch functions: every derivative, `torch.func`, `torch.compile`, training."""

import copy
import pickle

import jax
import jax.numpy as jnp
import numba
import numpy as np
import pytest
import torch
from torch._subclasses import FakeTensorMode
from torch.autograd import gradcheck, gradgradcheck
from torch.fx.experimental.proxy_tensor import make_fx

import gradir
import gradir.torch
from gradir.errors import BackendError, GradirError, InputError, RequestError


def test_derivatives_end_where_a_module_says() -> None:
    module = gradir.load("""func.func @f(%x: tensor<3xf32>) -> tensor<3xf32> {
      %0 = "enzyme.ignore_derivatives"(%x) : (tensor<3xf32>) -> tensor<3xf32>
      %1 = stablehlo.multiply %0, %x : tensor<3xf32>
      return %1 : tensor<3xf32>
    }""")
    x = torch.arange(3.0, requires_grad=True)
    gradir.torch.function(module, "f")(x).sum().backward()
    assert x.grad is not None and x.grad.tolist() == [0, 1, 2]


KERNELS = """
#include <math.h>
double chain(const double *x, int n, double k) {
  double s = 0;
  for (int i = 0; i + 1 < n; i++) s += k * sin(x[i + 1] - x[i]) * x[i];
  return s;
}
void curve(const double *x, double *r, int n) { for (int i = 0; i < n; i++) r[i] = exp(x[i]) * x[0] - i; }
void in_place(double *x, int n) { for (int i = 0; i < n; i++) x[i] = x[i] * x[i] * x[0]; }
double gathered(const double *x, const int *at, int n, double *work) {
  double s = 0;
  for (int i = 0; i < n; i++) { work[i] = x[at[i]] * x[at[i]]; s += work[i] * work[0]; }
  return s;
}
float single(const float *x, float a, long n) {
  float s = 0;
  for (long i = 0; i < n; i++) s += a * x[i] * x[i];
  return s;
}
long longest(const double *x, double *y, int n) { for (int i = 0; i < n; i++) y[i] = 2 * x[i]; return n + 1; }
"""

FORTRAN = """
subroutine wave(u, v, n, m, c)
  integer, intent(in) :: n, m
  real(8), intent(in) :: u(n, m), c
  real(8), intent(out) :: v(n, m)
  integer :: i, j
  do j = 1, m
    do i = 1, n
      v(i, j) = c * sin(u(i, j)) * u(1, j)
    end do
  end do
end subroutine
subroutine shaped(a, b)
  real(8), intent(in) :: a(:)
  real(8), intent(inout) :: b(:)
  integer :: i
  do i = 1, size(a)
    b(i) = b(i) * a(i) + a(1) * a(i)
  end do
end subroutine
"""

CPP = """
#include <stdexcept>
extern "C" double checked(const double *x) { if (x[0] < 0) throw std::domain_error("negative"); return x[0] * x[0]; }
"""


@pytest.fixture(scope="module")
def m(loaded):
    return loaded("kernels.c", KERNELS)


@pytest.fixture(scope="module")
def fortran(loaded):
    return loaded("wave.f90", FORTRAN)


@pytest.fixture(scope="module")
def numba_function():
    @numba.njit
    def weighed(x, k):
        total = 0.0
        for i in range(x.shape[0]):
            if x[i] > 100.0:
                raise ValueError("too large")
            total += k * np.sin(x[i]) * x[i]
        return total

    return gradir.torch.function(gradir.load(weighed, signature="float64(float64[::1], float64)"))


def tensor(*shape):
    return torch.randn(shape, dtype=torch.float64, generator=torch.Generator().manual_seed(1)).requires_grad_()


def check(f, *given):
    """Reverse and forward mode, and both over reverse mode, against torch's differences."""
    assert gradcheck(f, given, check_forward_ad=True)
    assert gradgradcheck(f, given, check_fwd_over_rev=True, check_rev_over_rev=True)


def test_c(m):
    function = gradir.torch.function
    check(function(m, "chain", n=lambda x: len(x)), tensor(4), tensor())
    check(function(m.curve, r="x", n=lambda x: x.size), tensor(3))
    check(function(m.in_place, n=lambda x: x.shape[0]), tensor(3))
    at = torch.tensor([0, 2, 2], dtype=torch.int32)
    gathered = function(m.gathered, n=lambda at: len(at), work="at", outputs=())
    check(lambda x: gathered(x, at), tensor(4))


def test_fortran(fortran):
    wave = gradir.torch.function(fortran.wave, v="u", n=lambda u: u.shape[0], m=lambda u: u.shape[1])
    u = tensor(3, 2)
    assert torch.allclose(wave(u, 2.0), 2 * torch.sin(u) * u[0])
    check(wave, u, tensor())
    check(gradir.torch.function(fortran.shaped), tensor(3), tensor(3))


def test_numba(numba_function):
    check(numba_function, tensor(3), tensor())
    with pytest.raises(BackendError, match="weighed raised an exception"):
        numba_function(torch.full((2,), 101.0, dtype=torch.float64), 1.0)
    many = torch.tensor([[1.0], [101.0], [1.0]], dtype=torch.float64)
    with pytest.raises(BackendError, match="weighed raised an exception"):
        torch.func.vmap(numba_function, in_dims=(0, None))(many, torch.tensor(1.0, dtype=torch.float64))


def test_exceptions_of_cpp(tmp_path):
    (tmp_path / "checked.cpp").write_text(CPP)
    checked = gradir.torch.function(gradir.load(tmp_path / "checked.cpp"))
    x = torch.tensor([3.0], dtype=torch.float64, requires_grad=True)
    checked(x).backward()
    assert x.grad.item() == 6.0
    for call in (checked, torch.func.vmap(checked)):
        with pytest.raises(GradirError, match="negative"):
            call(torch.tensor([[1.0], [-1.0]], dtype=torch.float64)[1 if call is checked else slice(None)])


def test_stablehlo():
    with jax.enable_x64(True):
        shapes = jnp.zeros(3), jnp.zeros(()), jnp.zeros(2, jnp.int32)
        lowered = jax.jit(lambda x, a, i: (jnp.sin(x) * a, jnp.sum(x**3), i + 1)).lower(*shapes)
    f = gradir.torch.function(gradir.load(lowered))
    i = torch.tensor([1, 2], dtype=torch.int32)
    assert f(tensor(3), 1.0, i)[2].tolist() == [2, 3]
    check(lambda x, a: f(x, a, i)[:2], tensor(3), tensor())
    batch = torch.func.vmap(lambda x, a: f(x, a, i)[0], in_dims=(0, None))
    check(batch, tensor(2, 3), tensor())
    with pytest.raises(InputError, match=r"argument 0 of main: expected .* but got torch.float32\[3\]"):
        f(torch.zeros(3), 1.0, i)


def test_transforms(m, numba_function):
    chain = gradir.torch.function(m, "chain", n=lambda x: len(x))
    x, k, steps = tensor(5, 4), tensor(), torch.arange(3.0, dtype=torch.float64)

    def reference(x, k):
        return torch.sum(k * torch.sin(x[1:] - x[:-1]) * x[:-1])

    for transform in (
        lambda f: torch.func.vmap(f, in_dims=(0, None)),
        lambda f: torch.func.vmap(torch.func.hessian(f), in_dims=(0, None)),
        lambda f: torch.func.jacfwd(torch.func.vmap(f, in_dims=(0, None)), argnums=1),
        lambda f: torch.func.vmap(torch.func.grad(f, argnums=(0, 1)), in_dims=(0, None)),
        lambda f: torch.func.vmap(lambda x, k: torch.func.vmap(f, (None, 0))(x, k * steps), (0, None)),
    ):
        for found, wanted in zip(_leaves(transform(chain)(x, k)), _leaves(transform(reference)(x, k)), strict=True):
            assert torch.allclose(found, wanted, rtol=1e-12)
    check(lambda x, k: torch.func.vmap(numba_function, in_dims=(0, None))(x, k), tensor(2, 3), tensor())


def _leaves(found):
    return found if isinstance(found, tuple) else (found,)


def test_compile(m):
    """By the parts of `torch.compile` that need no C++ compiler."""
    curve = gradir.torch.function(m.curve, r="x", n=lambda x: len(x))
    with jax.enable_x64(True):
        squares = gradir.torch.function(gradir.load(jax.jit(lambda x: x * x).lower(jnp.zeros(4))))

    def loss(x):
        return (squares(curve(x) * 2) + x).sum()

    compiled = torch.compile(loss, fullgraph=True, backend="aot_eager")
    for x in (tensor(4), tensor(4) + 1):
        (found,) = torch.autograd.grad(compiled(x), x)
        (wanted,) = torch.autograd.grad(loss(x), x)
        assert torch.allclose(found, wanted, rtol=1e-14)


def test_memory_is_shared_and_kept(m):
    function = gradir.torch.function(m.in_place, n=lambda x: len(x))
    x = tensor(4)
    before = x.detach().clone()
    function(x)
    assert torch.equal(x, before), "what the function writes to is a copy"
    strided = tensor(8)[::2]
    assert torch.equal(function(strided), function(strided.contiguous()))


def test_other_types(m):
    single = gradir.torch.function(m.single, n=lambda x: len(x))
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    single(x, 3.0).backward()
    assert x.grad.tolist() == [6.0, 12.0]
    count, doubled = gradir.torch.function(m.longest, y="x", n=lambda x: len(x))(tensor(3))
    assert count.item() == 4 and count.dtype is torch.int64 and not count.requires_grad and doubled.requires_grad
    fixed = gradir.torch.function(m, "chain", n=3, k=2.0)
    check(fixed, tensor(4))


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda f, m: f(torch.zeros(3), 1.0), InputError, "'x' must be a tensor of torch.float64, not one of"),
        (lambda f, m: f(tensor(3)), InputError, "takes x, k, and 1 arguments came"),
        (lambda f, m: f(tensor(3), 1.0, q=2), InputError, "takes x, k, and 2 arguments came"),
        (lambda f, m: gradir.torch.function(3), RequestError, "a int is no native function"),
        (
            lambda f, m: gradir.torch.function(m.curve, r="x")(tensor(3), 2.5),
            RequestError,
            "'n: int' must be an integer",
        ),
        (lambda f, m: gradir.torch.function(m.chain, n=3, k=len), RequestError, "has no argument 'obj'"),
        (lambda f, m: gradir.torch.function(m.chain, n=3, k=lambda x: 2.0), RequestError, "'k' is no integer"),
        (lambda f, m: f(torch.zeros(3, dtype=torch.float64, device="meta"), 1.0), InputError, "'x' is on meta"),
        (lambda f, m: f(tensor(3), tensor(2)), RequestError, "'k: double' is one number, not 2 of them"),
        (lambda f, m: f(torch.tensor(1.0, dtype=torch.float64), 1.0), InputError, "without dimensions has no length"),
        (lambda f, m: f(tensor(3).to_sparse(), 1.0), InputError, "'x' is torch.sparse_coo"),
    ],
)
def test_what_does_not_fit_is_said(m, call, error, message):
    with pytest.raises(error, match=message):
        call(gradir.torch.function(m, "chain", n=lambda x: len(x)), m)


def test_training(m, fortran, numba_function):
    """A C kernel, a Fortran kernel and a Numba function inside of one model that learns."""
    curve = gradir.torch.function(m.curve, r="x", n=lambda x: len(x))
    wave = gradir.torch.function(fortran.wave, v="u", n=lambda u: u.shape[0], m=lambda u: u.shape[1])
    torch.manual_seed(0)
    inputs = torch.randn(16, 3, dtype=torch.float64)
    layer = torch.nn.Linear(3, 4, dtype=torch.float64)
    scale = torch.nn.Parameter(torch.tensor(0.3, dtype=torch.float64))

    def model(scale):
        hidden = torch.func.vmap(curve)(0.1 * layer(inputs))
        return torch.func.vmap(numba_function, in_dims=(0, None))(wave(hidden, scale), scale)

    with torch.no_grad():
        targets = model(torch.tensor(0.7, dtype=torch.float64)) + 1.0
    optimizer = torch.optim.Adam([*layer.parameters(), scale], lr=0.02)
    losses = []
    for _ in range(60):
        optimizer.zero_grad()
        loss = torch.mean((model(scale) - targets) ** 2)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    assert losses[-1] < losses[0] / 5


def test_what_traces_sees_a_call(m):
    """A trace holds the call, not the numbers that came out when it was made."""
    curve = gradir.torch.function(m.curve, r="x", n=lambda x: len(x))
    x, y = torch.linspace(0.1, 1, 3).double(), torch.ones(3).double()
    traced = make_fx(torch.func.grad(lambda x: curve(x).sum()))(y)
    torch.testing.assert_close(traced(x), torch.func.grad(lambda x: curve(x).sum())(x))
    _, along = torch.func.linearize(curve, x)
    torch.testing.assert_close(along(y), torch.func.jvp(curve, (x,), (y,))[1])
    with FakeTensorMode():
        assert curve(torch.empty(5, dtype=torch.float64)).shape == (5,)


def test_negative_views(m):
    """Of one element such a view is contiguous, and its memory has the other sign."""
    curve = gradir.torch.function(m.curve, r="x", n=lambda x: len(x))
    x = torch.tensor([1 + 2j], dtype=torch.complex128).conj().imag
    assert x.is_neg() and x.is_contiguous()
    torch.testing.assert_close(curve(x), curve(torch.tensor([-2.0]).double()))


def test_many_cotangents_at_once(m):
    x = tensor(3)
    curve, single = gradir.torch.function(m.curve, r="x", n=3), gradir.torch.function(m.chain, n=3)
    (rows,) = torch.autograd.grad(curve(x), x, torch.eye(3).double(), is_grads_batched=True)
    torch.testing.assert_close(rows, torch.func.jacrev(curve)(x.detach()))
    k = tensor(1)[0]
    hessian = torch.autograd.functional.hessian(single, (x.detach(), k.detach()), vectorize=True)
    wanted = torch.func.hessian(single, (0, 1))(x.detach(), k.detach())
    for row, expected in zip(hessian, wanted, strict=True):
        torch.testing.assert_close(row, expected)
    assert gradcheck(curve, x, check_batched_grad=True)


class Holds(torch.nn.Module):
    def __init__(self, function):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.ones(3))
        self.function = function

    def forward(self, x):
        return self.function(self.weight * x).sum()


def test_in_modules(m):
    """A module that holds a function can be copied; one that holds a StableHLO function can be compiled."""
    lowered = jax.jit(lambda x: jnp.sin(x) * x).lower(jax.ShapeDtypeStruct((3,), "float32"))
    module = Holds(gradir.torch.function(gradir.load(lowered), "main"))
    x = torch.arange(3.0)
    loss, gradients = gradir.torch.value_and_grad(module)(x)
    twin = copy.deepcopy(module)
    twin(x).backward()
    assert loss.item() == pytest.approx(twin(x).item(), rel=1e-6)
    torch.testing.assert_close(gradients["weight"], twin.weight.grad)
    curve = gradir.torch.function(m.curve, r="x", n=lambda x: len(x))
    with pytest.raises(InputError, match="native code"):
        gradir.torch.value_and_grad(Holds(lambda x: curve(x.double())))(x)
    assert copy.deepcopy(Holds(curve)).function is curve
    with pytest.raises(pickle.PicklingError, match="state_dict"):
        pickle.dumps(curve)
