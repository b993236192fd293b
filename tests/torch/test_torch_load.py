"""`gradir.load` of modules and exported programs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from torch import nn

import gradir


class Net(nn.Module):
    """Parameters, buffers that are written and read, a constant, and two inputs."""

    def __init__(self) -> None:
        super().__init__()
        self.layer = nn.Linear(3, 2)
        self.norm = nn.BatchNorm1d(2)
        self.register_buffer("scale", torch.tensor([1.0, 2.0]))
        self.shift = torch.tensor([0.5, 0.25])

    def forward(self, x: torch.Tensor, *, weight: torch.Tensor) -> dict[str, Any]:
        y = self.norm(self.layer(x)) * self.scale + self.shift
        return {"loss": (y * weight).sum(), "y": y}


def state(module: nn.Module) -> list[torch.Tensor]:
    return [t.detach() for t in (*module.parameters(), *module.buffers())]


def test_names_and_results() -> None:
    torch.manual_seed(0)
    module = Net().double()
    x, weight = torch.randn(4, 3).double(), torch.randn(4, 2).double()
    m = gradir.load(module, (x,), {"weight": weight})
    names = [a.name for a in m.function("main").arguments]
    assert names == [
        *(n for n, _ in module.named_parameters()), "scale", "norm.running_mean", "norm.running_var",
        "norm.num_batches_tracked", "x", "weight",
    ]  # fmt: skip
    arguments = {n: t.detach() for n, t in (*module.named_parameters(), *module.named_buffers())}
    given = [(arguments | {"x": x, "weight": weight})[n] for n in names]
    m = m.value_and_grad("main", names.index("layer.weight"))
    loss, y, mean, variance, count, gradient = m.run("value_and_grad_main", *given)
    out = module(x, weight=weight)
    out["loss"].backward()
    np.testing.assert_allclose(loss, out["loss"].item(), rtol=1e-12)
    np.testing.assert_allclose(y, out["y"].detach(), rtol=1e-12)
    np.testing.assert_allclose(gradient, module.layer.weight.grad, atol=1e-12)
    for found, buffer in zip((mean, variance, count), list(module.norm.buffers()), strict=True):
        np.testing.assert_allclose(found, buffer)


def test_exported_program() -> None:
    module = nn.Sequential(nn.Linear(2, 3), nn.Tanh()).eval()
    x = torch.randn(5, 2)
    m = gradir.load(torch.export.export(module, (x,)))
    np.testing.assert_allclose(m.run("main", *state(module), x), module(x).detach(), rtol=1e-6)


def test_dropout_takes_a_seed_in_training_alone() -> None:
    module = nn.Sequential(nn.Linear(2, 2), nn.Dropout(0.5))
    assert [a.name for a in gradir.load(module, torch.ones(1, 2)).function("main").arguments][-1] == "seed"
    assert [a.name for a in gradir.load(module.eval(), torch.ones(1, 2)).function("main").arguments][-1] == "input"


def test_saved_and_read_again(tmp_path: Any) -> None:
    module = nn.Linear(2, 1)
    x = torch.ones(3, 2)
    gradir.load(module, x).save(tmp_path / "m.mlirbc")
    again = gradir.load(tmp_path / "m.mlirbc")
    np.testing.assert_allclose(again.run("main", *state(module), x), module(x).detach(), rtol=1e-6)


def test_refused() -> None:
    module = nn.Linear(2, 1)
    with pytest.raises(gradir.InputError, match="needs example inputs"):
        gradir.load(module)
    with pytest.raises(gradir.InputError, match="tensors, not int"):
        gradir.load(module, 3)
    with pytest.raises(gradir.InputError, match="has its inputs already"):
        gradir.load(torch.export.export(module, (torch.ones(1, 2),)), torch.ones(1, 2))
    with pytest.raises(gradir.InputError, match="native code"):
        gradir.load(module, torch.ones(1, 2), flags=["-O2"])
    with pytest.raises(gradir.InputError, match="example inputs are not for a str"):
        gradir.load("func.func @f(%x: tensor<f32>) -> tensor<f32> { return %x : tensor<f32> }", 1.0)

    class Writes(nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return x.mul_(2)

    with pytest.raises(gradir.InputError, match="writes to its input x"):
        gradir.load(Writes(), torch.ones(2))


def test_without_torch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gradir.torch, "find_spec", lambda name: None)
    monkeypatch.delitem(gradir.torch.__dict__, "value_and_grad", raising=False)
    with pytest.raises(gradir.MissingExtra, match=r"torch is not installed\n.*pip install 'gradir\[torch\]'"):
        gradir.torch.value_and_grad


@pytest.mark.parametrize("mode", ["bilinear", "bicubic"])
@pytest.mark.parametrize("how", [{"scale_factor": 2.0}, {"size": (7, 5)}])
def test_interpolation_is_by_matrices(mode: str, how: dict[str, Any]) -> None:
    """PyTorch's own decompositions gather, and their derivatives scatter: slow everywhere."""
    m = gradir.load(nn.Upsample(mode=mode, **how), torch.zeros(1, 2, 3, 4))
    text = str(m.vjp())
    assert "dot_general" in text and "gather" not in text and "scatter" not in text
