"""Losses of modules as functions of JAX arrays: PyTorch's own numbers, and training on a mesh of four devices.

Float32; losses and gradients are sums of some hundreds of numbers of size 1 (`CLOSE`).
"""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import torch
import torch.nn.functional as F
from torch import nn
from torch_models import GPT

import gradir.jax
import gradir.torch
from gradir import train
from gradir.errors import InputError
from gradir.train.mesh import Layout, Rules, read_axes
from gradir.train.sharded import ShardedLoop

CLOSE = {"rtol": 1e-4, "atol": 1e-6}


def of_letters(logits: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
    return F.cross_entropy(logits.flatten(0, 1), target.flatten())


@pytest.fixture
def gpt() -> GPT:
    torch.manual_seed(0)
    return GPT(vocabulary=12, context=6, width=8, heads=2, layers=1)


def letters(rows: int = 16) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(0)
    return {n: rng.integers(0, 12, (rows, 6)).astype(np.int32) for n in ("tokens", "target")}


def test_gradients_are_pytorchs(gpt: GPT) -> None:
    f = gradir.torch.objective(gpt, of_letters)
    assert str(inspect.signature(f)) == "(params, tokens, target, key)"
    tokens, target = letters().values()
    loss, gradients = jax.jit(gradir.jax.value_and_grad(f))(f.params, tokens, target)
    wanted = of_letters(gpt(torch.tensor(tokens)), torch.tensor(target).long())
    wanted.backward()
    np.testing.assert_allclose(loss, wanted.detach(), **CLOSE)
    assert list(gradients) == sorted(n for n, _ in gpt.named_parameters()), "tied weights are one"
    for name, p in gpt.named_parameters():
        np.testing.assert_allclose(gradients[name], p.grad, **CLOSE, err_msg=name)


TENSOR: Rules = [("*.mlp.0.*", read_axes("model")), ("*.mlp.2.weight", read_axes("-,model")), ("*", [])]
FULLY: Rules = [("*", read_axes("longest:data"))]


@pytest.mark.skipif(jax.device_count() < 4, reason="needs four devices")
@pytest.mark.parametrize(("sizes", "rules"), [((2, 2), TENSOR), ((4,), FULLY)], ids=["tensor", "fully sharded"])
def test_training_on_a_mesh_is_pytorchs(gpt: GPT, sizes: tuple[int, ...], rules: Rules) -> None:
    f, data = gradir.torch.objective(gpt, of_letters), letters(8)
    task = train.Task("gpt", f, [*inspect.signature(f).parameters], {"params": f.params}, data)
    loop = ShardedLoop(task, train.Recipe(optimizer="sgd", rate=0.5, epochs=4), Layout.of(sizes, rules))
    state = loop.advance(loop.start(), 4)
    optimizer = torch.optim.SGD(gpt.parameters(), lr=0.5)
    for made in state.losses:
        optimizer.zero_grad()
        loss = of_letters(gpt(torch.tensor(data["tokens"])), torch.tensor(data["target"]).long())
        np.testing.assert_allclose(made, loss.detach(), **CLOSE)
        loss.backward()
        optimizer.step()
    held = state.parameters["params"]["blocks.0.mlp.0.weight"]
    assert held.addressable_shards[0].data.size < held.size
    for name, value in loop.fetched(state.parameters)["params"].items():
        np.testing.assert_allclose(value, gpt.get_parameter(name).detach(), rtol=1e-3, atol=1e-5, err_msg=name)


def test_a_file_is_trained(tmp_path: Path) -> None:
    source = tmp_path / "line.py"
    source.write_text(
        "import numpy as np, torch, gradir.torch\n"
        "torch.manual_seed(0)\n"
        "model = torch.nn.Sequential(torch.nn.Linear(2, 8), torch.nn.Dropout(0.5), torch.nn.Linear(8, 1))\n"
        "loss = gradir.torch.objective(model, torch.nn.functional.mse_loss)\n"
        "params = loss.params\n"
        "x = np.random.default_rng(0).normal(size=(32, 2)).astype('f')\n"
        "data = {'input': x, 'target': x[:, :1]}\n"
    )
    task = train.load(source)
    assert task.inputs == ["input", "target"] and task.is_key("key")
    assert [name for name, _ in task.leaves()][:2] == ["params.0.bias", "params.0.weight"]
    losses = train.run(task, train.Recipe(optimizer="adam", rate=0.03, epochs=60)).losses
    assert losses[-10:].mean() < losses[0] / 2
    assert len(set(np.diff(losses[-10:]) > 0)) == 2, "with dropout, it goes up and down"


class Normed(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.norm, self.line = nn.BatchNorm1d(2), nn.Linear(2, 1)
        self.line.bias.requires_grad_(False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return (self.line(self.norm(x)) * x.detach()).sum()


def test_what_is_no_parameter() -> None:
    """Buffers and frozen parameters are part of the program; those that would be written to are refused."""
    model, x = Normed(), np.random.default_rng(0).normal(size=(5, 2)).astype(np.float32)
    f = gradir.torch.objective(model)
    assert set(f.params) == {"norm.weight", "norm.bias", "line.weight"}
    with pytest.raises(InputError, match=r"Normed writes to its buffers norm\.running_mean"):
        f(f.params, x)
    model.norm.eval()
    gradients = gradir.jax.grad(f)(f.params, x)
    model(torch.tensor(x)).backward()
    for name, gradient in gradients.items():
        np.testing.assert_allclose(gradient, model.get_parameter(name).grad, **CLOSE)


def test_bad_calls() -> None:
    line = gradir.torch.objective(nn.Linear(2, 1), F.mse_loss)
    x, y = jnp.ones((5, 2)), jnp.ones((5, 1))
    calls: list[tuple[tuple[Any, ...], str]] = [
        ((line.params, x), "takes"),
        (({"weight": line.params["weight"]}, x, y), "has other parameters: bias"),
    ]
    for given, message in calls:
        with pytest.raises(InputError, match=message):
            line(*given)
    dropped = gradir.torch.objective(nn.Sequential(nn.Linear(2, 1), nn.Dropout()), F.mse_loss)
    with pytest.raises(InputError, match="draws random numbers"):
        dropped(dropped.params, x, y)
    with pytest.raises(InputError, match="no parameter that requires a gradient"):
        gradir.torch.objective(nn.ReLU())
    with pytest.raises(InputError, match=r"is no torch\.nn\.Module"):
        gradir.torch.objective(F.relu)
    with pytest.raises(InputError, match="two arguments have one name"):
        gradir.torch.objective(nn.Linear(2, 1), lambda output, input: (output - input).sum())
