"""Modules that take derivatives themselves: PyTorch's own gradients of them, through its derivatives of derivatives."""

from __future__ import annotations

import copy

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor, nn
from torch.func import functional_call, grad, hessian, jvp, vmap

import gradir
import gradir.torch as gt

QUICK = {"xla_options": {"xla_backend_optimization_level": 0}}


class Inner(nn.Module):
    """Each way to ask for a derivative, with each way to end one."""

    def __init__(self) -> None:
        super().__init__()
        self.energy = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
        self.norm = nn.BatchNorm1d(3)
        self.critic = nn.Sequential(
            nn.Conv2d(1, 2, 3, padding=1), nn.MaxPool2d(2), nn.SiLU(), nn.AvgPool2d(2, 1),
            nn.Upsample(scale_factor=2, mode="bilinear"), nn.Flatten(), nn.Linear(32, 1),
        )  # fmt: skip
        self.rate = nn.Parameter(torch.tensor(0.3))
        self.register_buffer("mean", torch.zeros(3))

    def forward(self, x: Tensor, y: Tensor, image: Tensor) -> Tensor:
        losses = [self.forces(x, y), self.residual(x), self.adapted(x, y), self.sampled(x), self.detached(x)]
        slope = grad(lambda image: self.critic(image).sum())(image).flatten(1).norm(dim=1)
        return torch.stack([*losses, ((slope - 1) ** 2).mean()]).sum()

    def forces(self, x: Tensor, y: Tensor) -> Tensor:
        x = self.norm(x).requires_grad_()
        (force,) = torch.autograd.grad(self.energy(x).sum(), x, create_graph=True)
        with torch.no_grad():
            self.mean.mul_(0.9).add_(force.mean(0), alpha=0.1)
        return F.mse_loss(force, y) + (force * self.mean).sum()

    def residual(self, x: Tensor) -> Tensor:
        curvature = vmap(hessian(lambda x: self.energy(x)[0]))(x)
        _, along = jvp(self.energy, (x,), (torch.ones_like(x),))
        return ((along[:, 0] - curvature[:, 1, 1]) ** 2).mean()

    def adapted(self, x: Tensor, y: Tensor) -> Tensor:
        weights = dict(self.energy.named_parameters())

        def loss(weights: dict[str, Tensor]) -> Tensor:
            return F.mse_loss(functional_call(self.energy, weights, (x,)), y[:, :1])

        slopes = grad(loss)(weights)
        return loss({name: weights[name] - self.rate * slopes[name] for name in weights})

    def sampled(self, x: Tensor) -> Tensor:
        for _ in range(2):
            x = x.detach().requires_grad_()
            (slope,) = torch.autograd.grad(self.energy(x).sum(), x)
            x = x - 0.1 * slope
        return self.energy(x).mean()

    def detached(self, x: Tensor) -> Tensor:
        with torch.no_grad():
            fixed = self.energy(x).exp()
            fixed[0] = self.energy[2].bias * 3
        slope = grad(lambda x: (self.energy(x) * fixed).sum() + (self.energy(x) * self.energy(x).detach()).sum())(x)
        return (slope * slope.detach() * self.energy[0].weight.data.sum()).sum()


def test_derivatives_in_a_module() -> None:
    torch.manual_seed(0)
    module = Inner().double()
    theirs = copy.deepcopy(module)
    inputs = torch.randn(4, 3).double(), torch.randn(4, 3).double(), torch.randn(2, 1, 6, 6).double()
    value, gradients = gt.value_and_grad(module, **QUICK)(*inputs)
    wanted = theirs(*inputs)
    wanted.backward()
    assert value == pytest.approx(wanted.item(), rel=1e-12)
    for name, parameter in theirs.named_parameters():
        none = torch.zeros_like(parameter)
        found, expected = gradients[name], none if parameter.grad is None else parameter.grad
        torch.testing.assert_close(found, expected, rtol=1e-9, atol=1e-12, msg=name)
    for (name, ours), other in zip(module.named_buffers(), theirs.buffers(), strict=True):
        torch.testing.assert_close(ours, other, rtol=1e-12, atol=1e-14, msg=name)


class Calls(nn.Module):
    def __init__(self, function: object) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(2))
        self.function = function

    def forward(self, x: Tensor) -> Tensor:
        y = self.weight * x
        return self.function(y) + grad(lambda x: (x * self.weight).sin().sum())(x).sum()


def backward(y: Tensor) -> Tensor:
    y.sum().backward()
    return y.sum()


def write_to_detached(y: Tensor) -> Tensor:
    y.detach().zero_()
    return y.sum()


def write_to_view(y: Tensor) -> Tensor:
    with torch.no_grad():
        y[:1][0] = 3
    return y.sum()


def write_unrecorded(y: Tensor) -> Tensor:
    with torch.no_grad():
        y.mul_(2)
    return y.sum()


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (backward, r"backward\(\) in a module[\s\S]*create_graph"),
        (write_to_detached, rf"{__file__}:\d+.*writes to a detached tensor"),
        (write_to_view, rf"{__file__}:\d+.*writes to a detached tensor"),
        (write_unrecorded, r"a write under no_grad\(\)"),
        (lambda y: y.detach_().sum(), r"detach_\(\)"),
    ],
)
def test_refused(function: object, message: str) -> None:
    with pytest.raises(gradir.InputError, match=message):
        gt.value_and_grad(Calls(function))(torch.ones(2))


def test_dropout_follows_its_seed() -> None:
    """Also where derivatives are taken, the mask is the same in the value and in its derivative."""

    class Drops(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.weight = nn.Parameter(torch.ones(50))

        def forward(self, x: Tensor) -> Tensor:
            slope = grad(lambda x: (F.dropout(x, 0.5) ** 2 / 4 * self.weight).sum())(x)
            return (slope * torch.arange(50)).sum()

    value, gradients = gt.value_and_grad(Drops())(torch.ones(50), seed=1)
    slope = gradients["weight"]  # 2 for what is kept, times its number
    assert value.item() == slope.sum().item()
    assert set((slope[1:] / torch.arange(1, 50)).tolist()) == {0.0, 2.0}
