"""Losses and gradients of modules on XLA, beside PyTorch's own."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
import torch
import torch.nn.functional as F
from torch import nn
from torch_models import GPT, LSTM, ResNet18, UNet

import gradir
import gradir.torch as gt

QUICK = {"xla_options": {"xla_backend_optimization_level": 0}}
"""Compiles in half the time. The arithmetic is the same."""


Gradients = dict[str, torch.Tensor]


def reference(module: nn.Module, loss: Callable[..., Any], *inputs: Any) -> tuple[torch.Tensor, Gradients]:
    """The loss by PyTorch, and its gradients."""
    module.zero_grad()
    value = loss(module, *inputs)
    value.backward()
    return value.detach(), {n: p.grad for n, p in module.named_parameters() if p.grad is not None}


def error(found: Gradients, wanted: Gradients) -> float:
    """The greatest error of a gradient relative to its length.

    One that is zero up to rounding (of a bias before a batch norm) is measured by the greatest of them instead.
    """
    assert found.keys() == wanted.keys()
    least = 1e-4 * max(g.norm() for g in wanted.values())
    return max(float((found[n] - g).norm() / max(g.norm(), least)) for n, g in wanted.items())


# -- The four networks -----------------------------------------------------------------------------------------------


def by_token(logits: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
    return F.cross_entropy(logits.flatten(0, 1), target.flatten())


NETWORKS: dict[str, Callable[[], tuple[nn.Module, Any, tuple[torch.Tensor, torch.Tensor]]]] = {
    "resnet18": lambda: (
        ResNet18(4), nn.CrossEntropyLoss(label_smoothing=0.1), (torch.randn(4, 3, 32, 32), torch.arange(4)),
    ),
    "gpt": lambda: (GPT(), by_token, (torch.randint(65, (2, 16)), torch.randint(65, (2, 16)))),
    "lstm": lambda: (LSTM(), F.cross_entropy, (torch.randn(3, 7, 5), torch.arange(3))),
    "unet": lambda: (UNet(), F.cross_entropy, (torch.randn(2, 1, 16, 16), torch.randint(2, (2, 16, 16)))),
}  # fmt: skip


@pytest.mark.parametrize("name", NETWORKS)
def test_networks(name: str) -> None:
    """Gradients, buffers and ten steps, all in f64: 1e-9 is what rounding leaves after eighteen layers.

    In f32 PyTorch's own gradients of these networks are wrong by 1e-4 to 1e-3, as their f64 twins show.
    """
    torch.manual_seed(0)
    module, loss, (x, y) = NETWORKS[name]()
    module, x = module.double(), x.double() if x.is_floating_point() else x
    theirs = copy.deepcopy(module)
    step = gt.value_and_grad(module, loss, **QUICK)
    value, gradients = step(x, y)
    wanted, expected = reference(theirs, lambda m, x, y: loss(m(x), y), x, y)
    assert value == pytest.approx(wanted.item(), rel=1e-12)
    assert error(gradients, expected) < 1e-9
    for (key, ours), other in zip(module.named_buffers(), theirs.buffers(), strict=True):
        torch.testing.assert_close(ours, other, msg=key)

    optimizers = [torch.optim.SGD(m.parameters(), lr=0.02, momentum=0.9) for m in (module, theirs)]
    for _ in range(10):
        for optimizer in optimizers:
            optimizer.zero_grad()
        ours = step.backward(x, y)
        other = loss(theirs(x), y)
        other.backward()
        assert ours.item() == pytest.approx(other.item(), rel=1e-6)
        for optimizer in optimizers:
            optimizer.step()
    assert ours < value  # it has learnt something
    assert len(step._compiled) == 1


# -- Modes -----------------------------------------------------------------------------------------------------------


class Mixed(nn.Module):
    """What trains and evaluates in different ways."""

    def __init__(self) -> None:
        super().__init__()
        self.inner = nn.Linear(4, 8)
        self.norm = nn.BatchNorm1d(8)
        self.drop = nn.Dropout(0.25)
        self.outer = nn.Linear(8, 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.outer(self.drop(torch.tanh(self.norm(self.inner(x)))))


def mean(y: torch.Tensor) -> torch.Tensor:
    return y.mean()


def test_eval_needs_no_seed_and_leaves_buffers() -> None:
    torch.manual_seed(1)
    module = Mixed().double().eval()
    x = torch.randn(6, 4).double()
    before = copy.deepcopy(dict(module.named_buffers()))
    value, gradients = gt.value_and_grad(module, mean)(x)
    wanted, expected = reference(module, lambda m, x: m(x).mean(), x)
    assert value == pytest.approx(wanted.item(), rel=1e-12)
    assert error(gradients, expected) < 1e-12
    assert all(torch.equal(before[n], b) for n, b in module.named_buffers())


def test_dropout_follows_its_seed() -> None:
    torch.manual_seed(2)
    module = Mixed().double()
    x = torch.randn(6, 4).double()
    step = gt.value_and_grad(module, mean)
    value, gradients = step(x, seed=3)
    again, same = step(x, seed=3)
    assert value == again and all(torch.equal(gradients[n], same[n]) for n in gradients)
    assert step(x, seed=4)[0] != value
    # Without one, PyTorch's generator gives it.
    torch.manual_seed(7)
    first = [step(x)[0].item() for _ in range(2)]
    torch.manual_seed(7)
    assert [step(x)[0].item() for _ in range(2)] == first and first[0] != first[1]
    # The gradient is that of the mask which was drawn: central differences with the same seed.
    with torch.no_grad():
        weight, eps = module.inner.weight, 1e-6
        weight[2, 1] += eps
        above = step(x, seed=3)[0]
        weight[2, 1] -= 2 * eps
        below = step(x, seed=3)[0]
        weight[2, 1] += eps
    assert gradients["inner.weight"][2, 1] == pytest.approx(((above - below) / (2 * eps)).item(), rel=1e-6)


def test_dropout_keeps_the_mean() -> None:
    module = nn.Sequential(nn.Linear(1, 1, bias=False), nn.Dropout(0.3))
    value, _ = gt.value_and_grad(module, lambda y: (y / y.abs().max()).mean())(torch.ones(100_000, 1), seed=0)
    assert abs(value.abs().item() - 0.7) < 0.01  # seven of ten are kept: the deviation of their mean is 0.0015


def test_train_and_eval_in_turn() -> None:
    torch.manual_seed(3)
    module = nn.Sequential(nn.Linear(3, 3), nn.BatchNorm1d(3)).double()
    theirs = copy.deepcopy(module)
    x = torch.randn(5, 3).double()
    step = gt.value_and_grad(module, lambda y: (y**3).mean())
    for training in (True, False, True):
        module.train(training), theirs.train(training)
        value, gradients = step(x)
        wanted, expected = reference(theirs, lambda m, x: (m(x) ** 3).mean(), x)
        assert value == pytest.approx(wanted.item(), rel=1e-12)
        assert error(gradients, expected) < 1e-10
    assert len(step._compiled) == 2
    assert theirs[1].num_batches_tracked == module[1].num_batches_tracked == 2


@pytest.mark.parametrize("kind", ["bfloat16", "float16", "float32", "float64"])
def test_precisions(kind: str) -> None:
    """Against f64, with the rounding of the type: of sums of eight products and three layers."""
    torch.manual_seed(4)
    dtype = getattr(torch, kind)
    module = nn.Sequential(nn.Linear(8, 8), nn.LayerNorm(8), nn.GELU(), nn.Linear(8, 3), nn.Softmax(-1)).to(dtype)
    x = torch.randn(5, 8).to(dtype)
    value, gradients = gt.value_and_grad(module, lambda y: (y * y).mean())(x)
    assert value.dtype == dtype and all(g.dtype == dtype for g in gradients.values())
    wanted, expected = reference(copy.deepcopy(module).double(), lambda m, x: (m(x) ** 2).mean(), x.double())
    eps = torch.finfo(dtype).eps
    assert value.item() == pytest.approx(wanted.item(), rel=4 * eps)
    assert error({n: g.double() for n, g in gradients.items()}, expected) < 8 * eps


KINKS = {
    "hardswish": (F.hardswish, [-3.0, 3.0]), "hardsigmoid": (F.hardsigmoid, [-3.0, 3.0]),
    "hardtanh": (F.hardtanh, [-1.0, 1.0]), "relu6": (F.relu6, [0.0, 6.0]), "relu": (F.relu, [0.0]),
    "hardshrink": (F.hardshrink, [-0.5, 0.5]), "softshrink": (F.softshrink, [-0.5, 0.5]),
    "threshold": (lambda x: F.threshold(x, 1.0, 0.0), [1.0]), "elu": (F.elu, [0.0]), "leaky": (F.leaky_relu, [0.0]),
    "huber": (lambda x: F.huber_loss(x, 0 * x), [1.0, -1.0]), "abs": (torch.abs, [0.0]), "sinc": (torch.sinc, [0.0]),
    "clamp": (lambda x: x.clamp(0, 1), [0.0, 1.0]), "maximum": (lambda x: torch.maximum(x, 0 * x), [0.0]),
    "amax": (lambda x: torch.stack([x, x]).amax(), [0.0]), "atan2": (lambda x: torch.atan2(x, x), [0.0, -0.0]),
    "norm": (torch.linalg.vector_norm, [0.0]), "cdist": (lambda x: torch.cdist(x[:, None], x[:, None]), [0.0]),
}  # fmt: skip


def test_kinks_are_pytorchs() -> None:
    class AtKinks(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            made = {k: nn.Parameter(torch.tensor(at, dtype=torch.float64)) for k, (_, at) in KINKS.items()}
            self.at = nn.ParameterDict(made)

        def forward(self) -> torch.Tensor:
            return torch.stack([KINKS[name][0](x).sum() for name, x in self.at.items()]).sum()

    theirs = AtKinks()
    theirs().backward()
    _, gradients = gt.value_and_grad(AtKinks())()
    for name, x in theirs.at.items():
        assert gradients[f"at.{name}"].tolist() == pytest.approx(x.grad.tolist(), rel=1e-12), name


# -- Where gradients end ---------------------------------------------------------------------------------------------


class Ends(nn.Module):
    """`detach`, `no_grad`, and a buffer that is moved under it."""

    def __init__(self) -> None:
        super().__init__()
        self.one, self.two = nn.Linear(3, 3), nn.Linear(3, 3)
        self.register_buffer("average", torch.zeros(3))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = self.one(x)
        with torch.no_grad():
            target = self.two(x) * 2
            self.average.mul_(0.9).add_(y.mean(0), alpha=0.1)
        z = y.relu_() + target
        z[:, 0] *= 2
        return (z * self.two(x).detach() + self.average + self.two(y)).sum()


def test_ends_of_gradients() -> None:
    torch.manual_seed(5)
    module = Ends().double()
    theirs = copy.deepcopy(module)
    x = torch.randn(4, 3).double()
    step = gt.value_and_grad(module)
    for _ in range(2):
        value, gradients = step(x)
        wanted, expected = reference(theirs, lambda m, x: m(x), x)
        assert value == pytest.approx(wanted.item(), rel=1e-12)
        assert error(gradients, expected) < 1e-12
        torch.testing.assert_close(module.average, theirs.average)


class Written(nn.Module):
    """A value that is written to where nothing is recorded: to PyTorch its derivative is what it was."""

    def __init__(self, how: str) -> None:
        super().__init__()
        self.how = how
        self.w = nn.Parameter(torch.tensor([0.5, 1.5, 2.0], dtype=torch.float64))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        h = x * self.w
        with torch.no_grad():
            if self.how == "twice":
                h.mul_(3).add_(h)
            elif self.how == "a part":
                h[1:] = h[1:] * self.w[1:]
            elif self.how == "a view":
                h.view(3, 1).clamp_(max=1)
            elif self.how == "by a name":
                again = h.mul_(2)
                again.sub_(1)
                h = again
            else:
                fresh = h.clone()
                fresh.mul_(2)
                h.copy_(fresh)
        return (h * h * self.w).sum()


@pytest.mark.parametrize("how", ["twice", "a part", "a view", "by a name", "a copy"])
def test_writes_that_are_not_recorded(how: str) -> None:
    x = torch.tensor([1.0, 2.0, 3.0], dtype=torch.float64)
    value, gradients = gt.value_and_grad(Written(how))(x)
    wanted, expected = reference(Written(how), lambda m, x: m(x), x)
    assert value == pytest.approx(wanted.item(), rel=1e-12)
    assert error(gradients, expected) < 1e-12


def test_a_parameter_that_is_written_to() -> None:
    class Clamped(nn.Linear):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            with torch.no_grad():
                self.weight.clamp_(0, 1)
            return super().forward(x).sum()

    with pytest.raises(gradir.InputError, match="writes to its parameter"):
        gt.value_and_grad(Clamped(2, 2))(torch.ones(3, 2))


def test_frozen_and_unused_parameters() -> None:
    module = nn.ModuleDict({"a": nn.Linear(2, 2), "b": nn.Linear(2, 2), "c": nn.Linear(2, 2)})
    module.forward = lambda x: module["b"](module["a"](x)).sum()
    module["a"].weight.requires_grad_(False)
    step = gt.value_and_grad(module)
    _, gradients = step(torch.ones(1, 2))
    assert set(gradients) == {"a.bias", "b.weight", "b.bias", "c.weight", "c.bias"}
    assert not gradients["c.weight"].any()
    step.backward(torch.ones(1, 2))
    assert module["a"].weight.grad is None and module["c"].weight.grad is None  # as PyTorch leaves them
    assert torch.equal(module["b"].bias.grad, torch.ones(2))


def test_backward_accumulates() -> None:
    module = nn.Linear(2, 1, bias=False)
    step = gt.value_and_grad(module, mean)
    for _ in range(3):
        step.backward(torch.ones(1, 2))
    assert torch.equal(module.weight.grad, torch.full((1, 2), 3.0))


def test_tied_weights() -> None:
    torch.manual_seed(6)
    module = nn.Sequential(nn.Linear(3, 3), nn.Tanh(), nn.Linear(3, 3)).double()
    module[2].weight = module[0].weight
    x = torch.randn(4, 3).double()
    _, gradients = gt.value_and_grad(module, mean)(x)
    _, expected = reference(module, lambda m, x: m(x).mean(), x)
    assert set(gradients) == {n for n, _ in module.named_parameters()}
    assert error(gradients, expected) < 1e-12


# -- Inputs ----------------------------------------------------------------------------------------------------------


class Nested(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.linear = nn.Linear(2, 2)

    def forward(self, pair: tuple[Any, Any], by_name: dict[str, Any], power: int = 1, *, scale: Any = None) -> Any:
        y = self.linear(pair[0]) * by_name["b"] + self.linear(pair[1] * by_name["a"])
        return {"out": y**power, "rest": (y if scale is None else y * scale,)}


def test_dicts_tuples_and_keywords() -> None:
    torch.manual_seed(7)
    module = Nested().double()
    a, b, c, d = (torch.randn(3, 2).double() for _ in range(4))

    def loss(y: Any) -> torch.Tensor:
        return y["out"].sum() + (y["rest"][0] ** 2).sum()

    step = gt.value_and_grad(module, loss)
    for args, kwargs in [
        (((a, b), {"a": c, "b": d}), {}),
        (((a, b), {"a": c, "b": d}, 2), {}),
        (((a, b),), {"by_name": {"a": c, "b": d}, "scale": a}),
        (((a, b),), {"scale": a, "by_name": {"b": d, "a": c}, "power": 3}),
    ]:
        value, gradients = step(*args, **kwargs)
        wanted, expected = reference(module, lambda m, _, args=args, kwargs=kwargs: loss(m(*args, **kwargs)), None)
        assert value == pytest.approx(wanted.item(), rel=1e-12)
        assert error(gradients, expected) < 1e-12


def test_any_batch_size() -> None:
    torch.manual_seed(8)
    module = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 1)).double()
    step = gt.value_and_grad(module, F.mse_loss)
    for n in (1, 4, 7, 4):
        x, y = torch.randn(n, 3).double(), torch.randn(n, 1).double()
        value, gradients = step(x, y)
        wanted, expected = reference(module, lambda m, x, y: F.mse_loss(m(x), y), x, y)
        assert value == pytest.approx(wanted.item(), rel=1e-12)
        assert error(gradients, expected) < 1e-12
    assert len(step._compiled) == 3


def test_aux() -> None:
    module = nn.Linear(2, 2)
    step = gt.value_and_grad(module, lambda y, t: (F.mse_loss(y, t), {"output": y}), has_aux=True)
    x = torch.ones(3, 2)
    (value, aux), gradients = step(x, torch.zeros(3, 2))
    torch.testing.assert_close(aux["output"], module(x).detach())
    torch.testing.assert_close(value, (module(x).detach() ** 2).mean())
    assert set(gradients) == {"weight", "bias"}


def test_parameters_stay_where_they_are() -> None:
    module = nn.Linear(2, 1)
    weight = module.weight
    address = weight.data_ptr()
    step, optimizer = gt.value_and_grad(module, F.mse_loss), torch.optim.Adam(module.parameters())
    before = weight.detach().clone()
    step.backward(torch.ones(1, 2), torch.ones(1, 1) * 5)
    optimizer.step()
    assert module.weight is weight and weight.data_ptr() == address and not torch.equal(before, weight)


# -- What changes between calls --------------------------------------------------------------------------------------

factor = 1.0


def test_what_the_loss_closes_over() -> None:
    module = nn.Linear(1, 1, bias=False)
    nn.init.ones_(module.weight)
    target, power = torch.zeros(1, 1), 1
    step = gt.value_and_grad(module, lambda y: (((y - target) ** power) * factor).sum())
    x = torch.full((1, 1), 2.0)
    assert step(x)[0] == 2
    power = 3
    assert step(x)[0] == 8
    target.fill_(1.0)  # in place
    assert step(x)[0] == 1
    target = torch.full((1, 1), 0.5)  # another tensor
    assert step(x)[0] == 1.5**3
    global factor
    factor = 2.0
    assert step(x)[0] == 2 * 1.5**3
    factor = 1.0


def test_few_programs_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gradir.torch.training.KEPT", 2)
    step = gt.value_and_grad(nn.Linear(1, 1), mean, **QUICK)
    for n in (1, 2, 3):
        step(torch.ones(n, 1))
    assert len(step._compiled) == 2


def test_attributes_of_the_module() -> None:
    module = nn.Linear(1, 1, bias=False)
    nn.init.ones_(module.weight)
    outer = nn.Sequential(module, nn.LeakyReLU(0.5))
    step = gt.value_and_grad(outer, mean)
    x = torch.full((1, 1), -2.0)
    assert step(x)[0] == -1
    outer[1].negative_slope = 0.25
    assert step(x)[0] == -0.5
    outer[0] = nn.Linear(1, 1, bias=False)
    nn.init.zeros_(outer[0].weight)
    assert step(x)[0] == 0


# -- Refusals --------------------------------------------------------------------------------------------------------


class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: torch.Tensor) -> torch.Tensor:
        return x * x

    @staticmethod
    def backward(ctx: Any, g: torch.Tensor) -> torch.Tensor:
        return g * 3


class Calls(nn.Module):
    """A layer, then some function."""

    def __init__(self, function: Callable[[torch.Tensor], torch.Tensor]) -> None:
        super().__init__()
        self.linear = nn.Linear(2, 2)
        self.function = function

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.function(self.linear(x)).sum()


def hooked(x: torch.Tensor) -> torch.Tensor:
    x.register_hook(lambda g: 2 * g)
    return x


def branching(x: torch.Tensor) -> torch.Tensor:
    return x if x.sum() > 0 else -x


def sized_by_data(x: torch.Tensor) -> torch.Tensor:
    return x[x > 0]


def unknown(x: torch.Tensor) -> torch.Tensor:
    return torch.special.airy_ai(x)


def detached(x: torch.Tensor) -> torch.Tensor:
    x.detach().zero_()
    return x


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (Square.apply, r"Square has a backward pass of its own"),
        (hooked, r"a hook on a tensor"),
        (branching, rf"{__file__}:\d+: torch.export can't trace .*[\s\S]*torch.where or torch.cond"),
        (sized_by_data, rf"{__file__}:\d+.*aten\.\w+.*depends on the data"),
        (unknown, rf"{__file__}:\d+.*aten.special_airy_ai.default can't be lowered"),
        (detached, rf"{__file__}:\d+.*writes to a detached tensor"),
    ],
)
def test_refused(
    function: Callable[[torch.Tensor], torch.Tensor], message: str, capfd: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(gradir.InputError, match=message):
        gt.value_and_grad(Calls(function))(torch.ones(2, 2))
    assert "forward" not in capfd.readouterr().err  # the graph that torch.export prints


def test_refused_layer() -> None:
    """Of a module that is made of PyTorch's layers, the layer is named."""
    module = nn.Sequential(nn.Linear(2, 2), nn.Sequential(nn.FractionalMaxPool2d(2, output_size=1)))
    with pytest.raises(gradir.InputError, match=r"^layer 1\.0: PyTorch's op aten\.\w+"):
        gt.value_and_grad(module, mean)(torch.ones(1, 2, 2, 2))


def test_wrong_inputs() -> None:
    module = nn.Linear(2, 2)
    with pytest.raises(gradir.InputError, match=r"no torch.nn.Module"):
        gt.value_and_grad(lambda x: x)
    with pytest.raises(gradir.InputError, match=r"a tensor of shape \(3, 2\).*not one real number[\s\S]*give a loss"):
        gt.value_and_grad(module)(torch.ones(3, 2))
    with pytest.raises(gradir.InputError, match=r"can't trace Linear: .*\[3, 5\]"):
        gt.value_and_grad(module, mean)(torch.ones(3, 5))
    with pytest.raises(gradir.InputError, match="the loss takes 1 of the inputs"):
        gt.value_and_grad(module, F.mse_loss)()
    with pytest.raises(gradir.InputError, match="depends on no parameter"):
        gt.value_and_grad(nn.ReLU(), mean)(torch.ones(3))
    batch = dataclass(type("Batch", (), {"__annotations__": {"x": torch.Tensor}}))
    with pytest.raises(gradir.InputError, match=r"an input is a Batch[\s\S]*torch.export.register_dataclass"):
        gt.value_and_grad(module, mean)(batch(torch.ones(3, 2)))
    hooked = nn.Linear(2, 2)
    hooked.weight.register_hook(lambda g: 2 * g)
    with pytest.raises(gradir.InputError, match=r"the parameter module\.weight has a hook"):
        gt.value_and_grad(hooked, mean)(torch.ones(3, 2))
