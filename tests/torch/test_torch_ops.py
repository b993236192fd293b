"""What the table says of ATen's ops, against PyTorch: values, and gradients with random weights, in f64.

The functions of a family are one program. Arguments are chosen where derivatives exist, or where PyTorch makes a choice
(kinks, ties, zero).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from torch import nn

import gradir
from gradir.torch.aten import TABLE

QUICK = {"xla_options": {"xla_backend_optimization_level": 0}}
"""Compiles in half the time. The arithmetic is the same."""

Function = Callable[[torch.Tensor], Any]

x0 = torch.tensor([[-2.5, -1.0, -0.3, 0.0], [0.2, 0.75, 1.0, 30.0]], dtype=torch.float64)
"""With kinks of all kinds, zero, and a number whose exponential is large."""
x1 = torch.linspace(-0.9, 0.85, 24, dtype=torch.float64).sin().reshape(2, 3, 4)
x2 = torch.linspace(0.3, 7.1, 48, dtype=torch.float64).cos().reshape(1, 2, 4, 6)
ties = torch.tensor([[3.0, 1.0, 3.0, 2.0], [0.0, 0.0, -1.0, 0.0]], dtype=torch.float64)
square = torch.tensor([[4.0, 1.0, 0.5], [0.3, 3.0, -0.4], [0.2, 0.7, 2.0]], dtype=torch.float64)
index = torch.tensor([[0, 2, 1, 0], [1, 1, 0, 2], [2, 0, 0, 1]])

FAMILIES: dict[str, tuple[torch.Tensor, list[Function]]] = {
    "kinks": (
        x0,
        [
            F.relu,
            F.relu6,
            F.leaky_relu,
            F.elu,
            F.celu,
            F.selu,
            F.softplus,
            F.mish,
            F.silu,
            F.gelu,
            F.hardtanh,
            F.hardswish,
            F.logsigmoid,
            F.softsign,
            F.softshrink,
            F.hardshrink,
            F.tanhshrink,
            torch.abs,
            lambda x: F.gelu(x, approximate="tanh"),
            lambda x: F.threshold(x, 0.75, 3.0),
            lambda x: x.clamp(-1, 1),
            lambda x: x.clamp(min=0),
            lambda x: torch.maximum(x, x.flip(1)),
            lambda x: torch.minimum(x, x * 0 + 1),
            lambda x: torch.fmax(x, x * 0),
            lambda x: x.sign() * x,
            torch.floor,
            torch.round,
            lambda x: torch.frac(x),
            lambda x: torch.nan_to_num(x),
            lambda x: torch.where(x > 0, x, 2 * x),
            lambda x: F.prelu(x, torch.tensor(0.2).double()),
            lambda x: torch.lerp(x, x * x, 0.3),
            lambda x: F.glu(x),
        ],
    ),
    "smooth": (
        x1,
        [
            torch.exp,
            torch.expm1,
            torch.sin,
            torch.cos,
            torch.tan,
            torch.asin,
            torch.acos,
            torch.atan,
            torch.sinh,
            torch.cosh,
            torch.tanh,
            torch.asinh,
            torch.atanh,
            torch.sigmoid,
            torch.erf,
            torch.erfc,
            torch.erfinv,
            lambda x: (x + 2).log(),
            lambda x: (x + 2).log2(),
            lambda x: (x + 2).log10(),
            torch.log1p,
            lambda x: (x + 2).sqrt(),
            lambda x: (x + 2).rsqrt(),
            lambda x: (x + 2).lgamma(),
            lambda x: (x + 2).digamma(),
            lambda x: torch.exp2(x),
            lambda x: torch.acosh(x + 3),
            lambda x: 1 / (x + 2),
            lambda x: x**3,
            lambda x: (x + 2) ** 2.5,
            lambda x: 2.0**x,
            lambda x: (x + 2) ** x,
            lambda x: torch.atan2(x, x + 2),
            lambda x: torch.hypot(x, x * 0 + 1),
            lambda x: torch.logaddexp(x, 2 * x),
            lambda x: torch.xlogy(x, x + 2),
            lambda x: torch.remainder(x, 0.4),
            lambda x: torch.fmod(x, 0.4),
            lambda x: torch.sinc(x),
            lambda x: torch.logit(x, eps=0.1),
            lambda x: torch.addcmul(x, x, x + 1, value=2),
            lambda x: torch.addcdiv(x, x, x + 2, value=3),
            lambda x: torch.special.entr(x + 2),
            lambda x: torch.special.ndtr(x),
            lambda x: torch.copysign(x, x - 0.1),
            lambda x: torch.polar(x + 2, x).real,
            lambda x: torch.div(x, 0.3, rounding_mode="floor") * x,
            lambda x: torch.special.log_ndtr(9 * x),
            lambda x: x / x.abs().max().item(),
            lambda x: x.add(x, alpha=x[0, 0, 0].item()),
        ],
    ),
    "reductions": (
        ties,
        [
            torch.sum,
            torch.mean,
            lambda x: x.sum(0),
            lambda x: x.mean(1, keepdim=True),
            lambda x: x.prod(),
            lambda x: x.prod(1),
            lambda x: x.amax(1),
            lambda x: x.amin((0, 1)),
            lambda x: x.max(),
            lambda x: x.min(),
            lambda x: x.max(1)[0],
            lambda x: x.min(0).values,
            lambda x: x.var(),
            lambda x: x.std(1),
            lambda x: x.var(1, correction=0),
            lambda x: torch.std_mean(x, 0)[0],
            lambda x: x.norm(),
            lambda x: (x * 0).norm(),
            lambda x: x.norm(1),
            lambda x: x.norm(3, dim=1),
            lambda x: x.norm(float("inf")),
            lambda x: x.logsumexp(1),
            lambda x: x.cumsum(1),
            lambda x: (x + 4).cumprod(0),
            lambda x: x.logcumsumexp(1),
            lambda x: x.cummax(1)[0],
            lambda x: x.sort(dim=1, stable=True)[0],
            lambda x: x.argsort(dim=1, stable=True),
            lambda x: (x + x1[0, :2]).topk(2)[0],
            lambda x: (x + x1[0, :2]).median(1)[0],
            lambda x: (x + x1[0, :2]).kthvalue(2)[0],
            lambda x: x.softmax(1),
            lambda x: x.log_softmax(0),
            torch.argmax,
            lambda x: x.argmin(1),
            lambda x: (x > 0).any(1),
            lambda x: (x > 0).all(),
            lambda x: (x > 0).sum(1),
            lambda x: x.count_nonzero(),
            lambda x: F.normalize(x),
            lambda x: F.cosine_similarity(x, x + 1),
            torch.aminmax,
            lambda x: torch.quantile(x + x1[0, :2], 0.3, dim=1),
            lambda x: F.normalize(x * 0 + 1, p=1.0),
            lambda x: x.nansum(),
            lambda x: (x + x1[0, :2]).cov(),
            lambda x: torch.corrcoef(x + x1[0, :2]),
        ],
    ),
    "shapes": (
        x1,
        [
            lambda x: x.view(6, 4),
            lambda x: x.reshape(-1),
            lambda x: x.permute(2, 0, 1),
            lambda x: x.transpose(0, 2),
            lambda x: x.unsqueeze(1).expand(2, 5, 3, 4),
            lambda x: x[:, 1:, ::2],
            lambda x: x[..., -1],
            lambda x: x[0, 1],
            lambda x: torch.cat([x, x[:1]]),
            lambda x: torch.stack([x, x * 2], 1),
            lambda x: x.split(2, 2)[1],
            lambda x: x.chunk(3, 1),
            lambda x: x.unbind(0),
            lambda x: x.flip(0, 2),
            lambda x: x.roll(1, 2),
            lambda x: x.roll(5),
            lambda x: x.repeat(2, 1, 3),
            lambda x: x.repeat_interleave(2, 1),
            lambda x: x.tile(2),
            lambda x: x.diagonal(0, 1, 2),
            lambda x: torch.diag_embed(x[0]),
            lambda x: x.tril(),
            lambda x: x.triu(1),
            lambda x: x.unfold(2, 2, 1),
            lambda x: F.pad(x, (1, 2)),
            lambda x: F.pad(x, (1, -1, 0, 1), value=2.0),
            lambda x: F.pad(x, (1, 2), mode="reflect"),
            lambda x: F.pad(x, (2, 1), mode="replicate"),
            lambda x: F.pad(x, (1, 2), mode="circular"),
            lambda x: x.rot90(1, (1, 2)),
            lambda x: F.pixel_shuffle(x.reshape(1, 4, 2, 3), 2),
            lambda x: F.pixel_unshuffle(x.reshape(1, 1, 4, 6), 2),
            lambda x: x.squeeze(0),
            lambda x: x[:1].squeeze(),
            lambda x: x.movedim(0, 2),
            lambda x: x.flatten(1),
            lambda x: x.unflatten(2, (2, 2)),
            lambda x: x + torch.arange(4),
            lambda x: x * torch.eye(3, 4),
            lambda x: x.clone().fill_(2) * x,
            lambda x: torch.meshgrid(x[0, 0], x[0, 1], indexing="ij"),
            lambda x: F.unfold(x[None], 2),
            lambda x: torch.view_as_complex(x.reshape(3, 4, 2)).abs(),
            lambda x: F.channel_shuffle(x.reshape(1, 4, 2, 3), 2),
            lambda x: torch.linspace(0, 1, 4).double().round() * x,
            lambda x: x.float().double(),
            lambda x: x.to(torch.bfloat16).to(torch.float64),
            lambda x: torch.block_diag(x[0], x[1]),
            lambda x: F.fold(x.reshape(1, 8, 3), (2, 4), (2, 2)),
        ],
    ),
    "indexing": (
        x1[0],
        [
            lambda x: x[index[:, 0]],
            lambda x: x[index[:, 0], index[:, 1]],
            lambda x: x[:, index[0]],
            lambda x: x[-1, [0, -2]],
            lambda x: x.gather(0, index),
            lambda x: x.scatter(1, index[:, :1], x[:, :1] * 2),
            lambda x: x.scatter_add(0, index, x),
            lambda x: x.index_select(1, index[0]),
            lambda x: x.index_add(0, index[:, 0], x),
            lambda x: x.index_fill(1, index[0, :2], 2.0),
            lambda x: x.index_copy(0, torch.tensor([2, 0]), x[:2] * 3),
            lambda x: x.masked_fill(x > 0, 1.0),
            lambda x: torch.take(x, index),
            lambda x: x.index_put((index[:, 0], index[:, 1]), x[0, :3], accumulate=True),
            lambda x: F.embedding(index, x),
            lambda x: F.embedding(index, x, padding_idx=1),
            lambda x: x.scatter_reduce(0, index, x, "amax"),
            lambda x: x.scatter_reduce(0, index, x, "mean", include_self=False),
            lambda x: x.scatter_reduce(1, index, x, "sum"),
            lambda x: x.masked_scatter(x > 0, x.flip(0) * 2),
            lambda x: F.one_hot(index, 3) * x[0, 0],
            lambda x: torch.searchsorted(x[0].sort()[0], x),
            lambda x: torch.cdist(x, x + 1),
            lambda x: torch.cdist(x, x),
            lambda x: torch.bucketize(x, torch.tensor([-0.5, 0.0, 0.5])),
            lambda x: torch.take_along_dim(x, index, 0),
            lambda x: x.index_reduce(0, index[0], x[[0, 1, 2, 0]] + 1, "amax"),
            lambda x: x.index_reduce(1, index[0, :2], x[:, 1:3], "prod", include_self=False),
            lambda x: x.put(index[0], x[0], accumulate=True),
            lambda x: torch.combinations(x[0]),
            lambda x: F.pdist(x),
        ],
    ),
    "writes": (
        x1[0],
        [
            lambda x: x.clone().mul_(2).add_(1),
            lambda x: _written(x, 0),
            lambda x: _written(x, slice(1, 3)),
            lambda x: _written(x, (slice(None), 1)),
            lambda x: _written(x, torch.tensor([0, 2])),
            lambda x: _masked(x),
            lambda x: _through_view(x),
            lambda x: x.clone().fill_diagonal_(2),
        ],
    ),
    "matrices": (
        square,
        [
            lambda x: x @ x,
            lambda x: torch.mv(x, x[0]),
            lambda x: x[0] @ x[1],
            lambda x: torch.addmm(x, x, x, beta=0.5, alpha=2),
            lambda x: torch.bmm(x[None], x[None]),
            lambda x: torch.einsum("ij,jk,ki->", x, x, x),
            lambda x: F.linear(x, x, x[0]),
            lambda x: torch.outer(x[0], x[1]),
            lambda x: torch.kron(x, x),
            torch.trace,
            torch.linalg.inv,
            torch.det,
            torch.logdet,
            lambda x: torch.linalg.slogdet(x)[1],
            lambda x: torch.linalg.solve(x, x[0]),
            lambda x: torch.linalg.solve(x, x),
            lambda x: torch.linalg.cholesky(x @ x.mT),
            lambda x: torch.linalg.qr(x)[1].abs(),
            lambda x: torch.linalg.svdvals(x),
            lambda x: torch.linalg.eigvalsh(x + x.mT),
            lambda x: torch.linalg.matrix_exp(x / 3),
            lambda x: torch.linalg.cross(x, x.mT),
            lambda x: torch.linalg.solve_triangular(x, x, upper=True),
            lambda x: torch.linalg.matrix_norm(x),
            lambda x: torch.linalg.matrix_power(x, 3),
            lambda x: torch.fft.fft(x).abs(),
            lambda x: torch.fft.rfft2(x).real,
            lambda x: torch.fft.irfft(torch.fft.rfft(x), 3),
            lambda x: F.bilinear(x, x, torch.stack([x, x * 2])),
            lambda x: torch.cholesky_solve(x, torch.linalg.cholesky(x @ x.mT)),
            lambda x: torch.cholesky_inverse(torch.linalg.cholesky(x @ x.mT)),
            lambda x: torch.linalg.lu(x[:, :2]),
            lambda x: torch.linalg.lu_solve(*torch.linalg.lu_factor(x.flip(0)), x),
            lambda x: torch.linalg.householder_product(x[:, :2], x[0, :2]),
        ],
    ),
    "convolutions": (
        x2,
        [
            lambda x: F.conv2d(x, x[:, :, :2, :3]),
            lambda x: F.conv2d(x, x2[0, :, None, :3, :3].repeat(2, 1, 1, 1), padding=1, groups=2),
            lambda x: F.conv2d(x, x2[:, :, :2, :2], stride=2, padding=1, dilation=2),
            lambda x: F.conv1d(x[0], x2[0, :, :, :3]),
            lambda x: F.conv2d(x, x2[:, :, :3, :2], padding="same"),
            lambda x: F.conv3d(x[None], x2[None, :, :1, :2, :2]),
            lambda x: F.conv_transpose2d(x, x2[0, :, None, :2, :3], stride=2),
            lambda x: F.conv_transpose2d(x, x2[0, :, None, :3, :3], stride=2, padding=1, output_padding=1, dilation=2),
            lambda x: F.conv_transpose2d(x, x2[0, :, None, :2, :3].repeat(1, 3, 1, 1), groups=2),
            lambda x: F.conv_transpose1d(x[0], x2[0, 0, :, None, :3]),
            lambda x: F.max_pool2d(x, 2),
            lambda x: F.max_pool2d(x, 3, 2, padding=1, ceil_mode=True),
            lambda x: F.max_pool2d(x, 2, 1, dilation=2),
            lambda x: F.max_pool2d(x, 2, return_indices=True),
            lambda x: F.avg_pool2d(x, 2),
            lambda x: F.max_pool1d(x[0], 2),
            lambda x: F.avg_pool2d(x, 3, 2, padding=1, ceil_mode=True),
            lambda x: F.avg_pool2d(x, 3, 2, padding=1, count_include_pad=False),
            lambda x: F.avg_pool1d(x[0], 2),
            lambda x: F.adaptive_avg_pool2d(x, 1),
            lambda x: F.adaptive_avg_pool2d(x, (3, 4)),
            lambda x: F.adaptive_max_pool2d(x, 2),
            lambda x: F.adaptive_max_pool2d(x, (3, 4), return_indices=True),
            lambda x: F.lp_pool2d(x + 2, 2, 2),
            lambda x: F.max_pool3d(x, 2),
            lambda x: F.avg_pool3d(x, 2),
        ],
    ),
    "interpolation": (
        x2,
        [
            lambda x: F.interpolate(x, scale_factor=2),
            lambda x: F.interpolate(x, (7, 9)),
            lambda x: F.interpolate(x, (3, 2)),
            lambda x: F.interpolate(x, scale_factor=2, mode="bilinear"),
            lambda x: F.interpolate(x, (7, 5), mode="bilinear", align_corners=True),
            lambda x: F.interpolate(x, scale_factor=1.7, mode="bilinear"),
            lambda x: F.interpolate(x, (7, 5), mode="bicubic"),
            lambda x: F.interpolate(x[0], 9, mode="linear"),
            lambda x: F.interpolate(x[None], (2, 3, 9), mode="trilinear"),
            lambda x: F.interpolate(x, (7, 9), mode="nearest-exact"),
            lambda x: F.interpolate(x, (9, 4), mode="area"),
            lambda x: F.interpolate(x, scale_factor=(1.5, 0.7), mode="bilinear", recompute_scale_factor=True),
            lambda x: F.interpolate(x, (3, 4), mode="bilinear", antialias=True),
            lambda x: F.interpolate(x, (2, 9), mode="bicubic", antialias=True, align_corners=True),
            lambda x: F.grid_sample(x, torch.tanh(x.reshape(1, 4, 6, 2)), align_corners=False),
        ],
    ),
    "layers": (
        x2,
        [
            lambda x: F.layer_norm(x, (6,)),
            lambda x: F.layer_norm(x, (4, 6), x2[0, 0], x2[0, 1]),
            lambda x: F.group_norm(x, 2),
            lambda x: F.instance_norm(x),
            lambda x: F.batch_norm(x, torch.zeros(2).double(), torch.ones(2).double(), training=True),
            lambda x: F.batch_norm(x, torch.ones(2).double(), torch.ones(2).double() * 2),
            lambda x: F.rms_norm(x, (6,), x[0, 0, 0]),
            lambda x: F.local_response_norm(x, 2),
            lambda x: F.scaled_dot_product_attention(x, x * 2, x + 1),
            lambda x: F.scaled_dot_product_attention(x, x, x, is_causal=True),
            lambda x: F.scaled_dot_product_attention(x, x, x, x[..., :4] > -2),
            lambda x: F.scaled_dot_product_attention(x, x[:, :1], x[:, :1], enable_gqa=True, scale=0.3),
        ],
    ),
    "losses": (
        x1[0],
        [
            lambda x: F.mse_loss(x, x0.new_ones(3, 4)),
            lambda x: F.l1_loss(x, x * 0 + 0.2),
            lambda x: F.smooth_l1_loss(x, x * 0),
            lambda x: F.huber_loss(x, x * 0, delta=0.5),
            lambda x: F.cross_entropy(x, index[:, 0]),
            lambda x: F.cross_entropy(x, x.softmax(1)),
            lambda x: F.cross_entropy(
                x, index[:, 0], weight=torch.arange(1.0, 5).double(), ignore_index=0, label_smoothing=0.1
            ),
            lambda x: F.nll_loss(x.log_softmax(1), index[:, 0], reduction="sum"),
            lambda x: F.kl_div(x.log_softmax(1), x.softmax(0)),
            lambda x: F.binary_cross_entropy(x.sigmoid(), (x > 0).double()),
            lambda x: F.binary_cross_entropy_with_logits(x, (x > 0).double(), pos_weight=torch.ones(4).double() * 2),
            lambda x: F.poisson_nll_loss(x, x * x),
            lambda x: F.margin_ranking_loss(x, x * 2, x.sign()),
            lambda x: F.soft_margin_loss(x, x.detach().sign()),
            lambda x: F.hinge_embedding_loss(x, x.sign()),
            lambda x: F.triplet_margin_loss(x, x + 1, x * 2),
            lambda x: F.multi_margin_loss(x, index[:, 0]),
            lambda x: F.cosine_embedding_loss(x, x * x, torch.ones(3)),
            lambda x: F.multilabel_soft_margin_loss(x, (x > 0).double()),
            lambda x: F.gaussian_nll_loss(x, x * x, x.exp(), full=True, eps=0.8),
        ],
    ),
}


def _written(x: torch.Tensor, where: Any) -> torch.Tensor:
    y = x * 2
    y[where] = (x[where] * 2) ** 2
    return y


def _masked(x: torch.Tensor) -> torch.Tensor:
    y = x * 2
    y[x > 0] = 0.5
    return y


def _through_view(x: torch.Tensor) -> torch.Tensor:
    y = x * 2
    y.view(-1)[2:5].mul_(3)
    y.t()[1].add_(x[:, 0])
    return y


class All(nn.Module):
    """All functions of a family: their results, and a sum of the real ones with weights."""

    def __init__(self, functions: list[Function]) -> None:
        super().__init__()
        self.functions = functions

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, list[torch.Tensor]]:
        outs = [o for f in self.functions for o in torch.utils._pytree.tree_leaves(f(x))]
        total = sum((o.double() * weights(o)).sum() for o in outs if o.is_floating_point())
        return total, outs


def weights(of: torch.Tensor) -> torch.Tensor:
    return torch.linspace(0.5, 1.7, of.numel(), dtype=torch.float64).cos().reshape(of.shape)


@pytest.mark.parametrize("family", FAMILIES)
def test_family(family: str) -> None:
    """1e-10 of the greatest number: factorisations and long sums lose four digits of sixteen."""
    argument, functions = FAMILIES[family]
    m = gradir.load(All(functions), argument).value_and_grad("main", 0)
    _, *found, gradient = m.run("value_and_grad_main", argument, **QUICK)
    x = argument.clone().requires_grad_()
    wanted, outs = All(functions)(x)
    assert len(found) == len(outs)
    for i, (ours, theirs) in enumerate(zip(found, outs, strict=True)):
        assert ours.dtype.name == str(theirs.dtype).removeprefix("torch."), i
        np.testing.assert_allclose(ours.astype(float), theirs.detach().double(), rtol=1e-10, atol=1e-12, err_msg=str(i))
    wanted.backward()
    np.testing.assert_allclose(gradient, x.grad, rtol=1e-9, atol=1e-10 * float(x.grad.abs().max()))


def test_table_names_ops() -> None:
    assert len(TABLE) > 430
    assert all(str(op).startswith(("aten.", "gradir.")) for op in TABLE)
