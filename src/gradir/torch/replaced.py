"""What of PyTorch's own Python looks at data, and so can't be traced: the same functions, without the look.

Their values are the same. Checks of arguments are left out, as a program has no way to fail.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

import torch
import torch.nn.functional as F
from torch import Tensor, nn
from torch.nn.modules import transformer
from torch.nn.modules.batchnorm import _BatchNorm
from torch.overrides import TorchFunctionMode

from gradir.errors import InputError
from gradir.torch.aten.neural import ctc_loss
from gradir.torch.aten.table import TABLE

__all__ = ["replaced"]


@contextmanager
def replaced() -> Iterator[None]:
    """With functions and methods of PyTorch's in a form that can be traced."""
    with (
        patch.object(transformer, "_detect_is_causal_mask", _is_said_to_be_causal),
        patch.object(torch.distributions.Distribution, "_validate_args", False),
        patch.object(_BatchNorm, "forward", _batch_norm),
        patch.object(nn.AdaptiveLogSoftmaxWithLoss, "forward", _adaptive_log_softmax),
        _Replacing(),
    ):
        yield


class _Replacing(TorchFunctionMode):  # type: ignore[misc]
    """Calls of the functions in the table below, wherever they come from, are of those beside them."""

    def __torch_function__(
        self, func: Any, types: Any, args: Sequence[Any] = (), kwargs: Mapping[str, Any] | None = None
    ) -> Any:
        return _TRACEABLE.get(func, func)(*args, **(kwargs or {}))


# -- Methods of modules ----------------------------------------------------------------------------------------------


def _is_said_to_be_causal(mask: Tensor | None, is_causal: bool | None = None, size: int | None = None) -> bool:
    """Whether a mask is causal: it is only asked to find a faster way, as the mask is applied in any case."""
    return bool(is_causal)


_own_batch_norm = _BatchNorm.forward


def _batch_norm(norm: Any, x: Tensor) -> Tensor:
    """Where there is no momentum, means over all batches so far, whose number is data."""
    if norm.momentum is not None or not norm.training or not norm.track_running_stats:
        return _own_batch_norm(norm, x)
    norm._check_input_dim(x)
    with torch.no_grad():
        norm.num_batches_tracked.add_(1)
        variance, mean = torch.var_mean(x, [d for d in range(x.ndim) if d != 1])
        for statistic, new in ((norm.running_mean, mean), (norm.running_var, variance)):
            statistic.add_((new - statistic) / norm.num_batches_tracked)
    return F.batch_norm(x, None, None, norm.weight, norm.bias, True, 0.0, norm.eps)


def _adaptive_log_softmax(layer: Any, x: Tensor, target: Tensor) -> Any:
    """Of all classes, and then those wanted: which clusters are wanted depends on data."""
    lone = target.dim() == 0
    if lone:
        x, target = x[None], target[None]
    output = layer.log_prob(x).gather(1, target[:, None]).squeeze(1)
    return nn.modules.adaptive._ASMoutput(output[0] if lone else output, -output.mean())


# -- Functions -------------------------------------------------------------------------------------------------------


def _reduced(values: Tensor, reduction: str) -> Tensor:
    return values.mean() if reduction == "mean" else values.sum() if reduction == "sum" else values


def _gaussian_nll_loss(
    input: Tensor, target: Tensor, var: Any, full: bool = False, eps: float = 1e-6, reduction: str = "mean"
) -> Tensor:
    if not isinstance(var, Tensor):
        var = torch.full_like(input, var)
    elif var.shape != input.shape and var.shape == input.shape[:-1]:
        var = var[..., None]
    var = var + (var.clamp(min=eps) - var).detach()  # what is clamped has the derivative of what is not
    loss = 0.5 * (var.log() + (input - target) ** 2 / var)
    return _reduced(loss + 0.5 * _LOG_TWO_PI if full else loss, reduction)


_LOG_TWO_PI = 1.8378770664093453


def _cov(
    input: Tensor, *, correction: int = 1, fweights: Tensor | None = None, aweights: Tensor | None = None
) -> Tensor:
    if fweights is not None or aweights is not None:
        return torch.cov(input, correction=correction, fweights=fweights, aweights=aweights)
    rows = input if input.ndim == 2 else input.reshape(1, -1)
    off = rows - rows.mean(1, keepdim=True)
    return (off @ off.mH / max(rows.shape[1] - correction, 0)).squeeze()


def _corrcoef(input: Tensor) -> Tensor:
    if input.is_complex() or input.ndim < 2:
        return torch.corrcoef(input)
    found = _cov(input)
    deviation = found.diagonal().sqrt()
    return (found / deviation[:, None] / deviation).clamp(-1, 1)


def _combinations(input: Tensor, r: int = 2, with_replacement: bool = False) -> Tensor:
    choose = itertools.combinations_with_replacement if with_replacement else itertools.combinations
    chosen = list(choose(range(input.shape[0]), r))
    return input[torch.tensor(chosen, device=input.device)] if chosen else input.new_empty(0, r)


def _embedding_bag(
    input: Tensor, weight: Tensor, offsets: Tensor | None = None, max_norm: float | None = None, norm_type: float = 2,
    scale_grad_by_freq: bool = False, mode: str = "mean", sparse: bool = False,
    per_sample_weights: Tensor | None = None, include_last_offset: bool = False, padding_idx: int | None = None,
) -> Tensor:  # fmt: skip
    weighted = per_sample_weights is not None
    if max_norm is not None or scale_grad_by_freq or (weighted and mode != "sum"):  # refused, with the op
        return F.embedding_bag(input, weight, offsets, max_norm, norm_type, scale_grad_by_freq, mode, sparse,
                               per_sample_weights)  # fmt: skip
    flat = input.reshape(-1)
    if offsets is None:
        count = input.shape[0]
        bag = torch.arange(flat.numel(), device=input.device) // max(input.shape[1], 1)
    else:
        starts = offsets[:-1] if include_last_offset else offsets
        count = starts.numel()
        bag = torch.searchsorted(starts, torch.arange(flat.numel(), device=input.device), right=True) - 1
    kept = torch.ones_like(flat, dtype=torch.bool) if padding_idx is None else flat != padding_idx % weight.shape[0]
    rows = F.embedding(flat, weight)
    none = rows.new_zeros(count, weight.shape[1])
    if mode == "max":
        rows = rows.masked_fill(~kept[:, None], -torch.inf)
        most = none.scatter_reduce(0, bag[:, None].expand_as(rows), rows, "amax", include_self=False)
        return most.masked_fill(most == -torch.inf, 0)
    if per_sample_weights is not None:
        rows = rows * per_sample_weights.reshape(-1, 1)
    total = none.index_add(0, bag, rows.masked_fill(~kept[:, None], 0))
    if mode == "sum":
        return total
    return total / rows.new_zeros(count).index_add(0, bag, kept.to(rows)).clamp(min=1)[:, None]


@torch.library.custom_op("gradir::ctc_loss", mutates_args=())
def _ctc_op(scores: Tensor, targets: Tensor, input_lengths: Tensor, target_lengths: Tensor, blank: int) -> Tensor:
    """The loss of each of a batch: logarithms of probabilities are [time, batch, class], targets [batch, place]."""
    return F.ctc_loss(scores, targets, input_lengths, target_lengths, blank, "none")


_ctc_op.register_fake(lambda scores, targets, input_lengths, target_lengths, blank: scores.new_empty(scores.shape[1]))
CTC_LOSS = torch.ops.gradir.ctc_loss.default
TABLE[CTC_LOSS] = ctc_loss


def _ctc_loss(
    log_probs: Tensor, targets: Tensor, input_lengths: Any, target_lengths: Any, blank: int = 0,
    reduction: str = "mean", zero_infinity: bool = False,
) -> Tensor:  # fmt: skip
    lone = log_probs.ndim == 2
    scores = log_probs[:, None] if lone else log_probs
    device = scores.device
    times, lengths = (torch.as_tensor(n, device=device).reshape(-1).long() for n in (input_lengths, target_lengths))
    if targets.ndim == 1:  # one after the other
        places = (lengths.cumsum(0) - lengths)[:, None] + torch.arange(targets.numel(), device=device)
        targets = targets[places.clamp(max=targets.numel() - 1)]
    losses = CTC_LOSS(scores, targets.long(), times, lengths, blank)
    if zero_infinity:
        losses = losses.masked_fill(losses == torch.inf, 0)
    if reduction == "mean":
        losses = losses / lengths.clamp(min=1).to(losses)
    return losses[0] if lone and reduction == "none" else _reduced(losses, reduction)


def _packed(*_: Any, **__: Any) -> Any:
    raise InputError("packed sequences, whose lengths are data", hint="pad them, and mask what follows their ends")


_TRACEABLE: dict[Any, Callable[..., Any]] = {
    torch._VF._pack_padded_sequence: _packed,
    F.gaussian_nll_loss: _gaussian_nll_loss,
    F.embedding_bag: _embedding_bag,
    F.ctc_loss: _ctc_loss,
    torch.ctc_loss: _ctc_loss,
    torch.cov: _cov, Tensor.cov: _cov,
    torch.corrcoef: _corrcoef, Tensor.corrcoef: _corrcoef,
    torch.combinations: _combinations,
}  # fmt: skip
