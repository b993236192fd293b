"""What of PyTorch's own code looks at data: values and gradients are PyTorch's all the same."""

from __future__ import annotations

import copy

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor, nn
from torch.distributions import Beta, Categorical, Normal, kl_divergence

import gradir
import gradir.torch as gt

QUICK = {"xla_options": {"xla_backend_optimization_level": 0}}


class Looking(nn.Module):
    """Layers whose code has an `if` on what is in a tensor, or makes shapes of it, on the way to a loss."""

    def __init__(self) -> None:
        super().__init__()
        self.encoder = nn.TransformerEncoder(nn.TransformerEncoderLayer(4, 2, 6, 0.0, batch_first=True), 1)
        self.norm = nn.BatchNorm1d(3, momentum=None)
        self.adaptive = nn.AdaptiveLogSoftmaxWithLoss(4, 9, [3, 6], div_value=2)
        self.mean_bag = nn.EmbeddingBag(6, 4, padding_idx=2)
        self.most_bag = nn.EmbeddingBag(6, 4, mode="max")
        self.sum_bag = nn.EmbeddingBag(6, 4, mode="sum", include_last_offset=True)
        self.slopes = nn.RReLU(0.2, 0.2)
        self.narrow = nn.utils.parametrizations.orthogonal(nn.Linear(4, 2))

    def forward(self, x: Tensor, mask: Tensor, words: Tensor, starts: Tensor) -> Tensor:
        y = self.slopes(self.norm(self.encoder(x, mask)))
        bags = self.mean_bag(words.flatten(), starts), self.most_bag(words), self.sum_bag(words.flatten(), starts)
        weighted = F.embedding_bag(words, self.most_bag.weight, mode="sum", per_sample_weights=y[..., 0])
        losses = [self.adaptive(y[:, 0], words[0] * 8 // 5).loss, *(b.sin().sum() for b in bags), weighted.cos().sum()]
        shape = F.softplus(y)
        losses += [
            kl_divergence(Normal(y, shape), Normal(0 * y, 1 + 0 * y)).mean(),
            -Categorical(logits=y).log_prob(words.clamp(max=3)).mean(),
            -Beta(shape, shape + 1).log_prob(y.sigmoid()).mean(),
            self.narrow(y).exp().mean(),
        ]
        return sum(losses)


def test_library_code_that_looks_at_data() -> None:
    torch.manual_seed(0)
    module = Looking().double()
    theirs = copy.deepcopy(module)
    x = torch.randn(3, 3, 4).double()
    mask = nn.Transformer.generate_square_subsequent_mask(3).double()
    words = torch.tensor([[0, 2, 5], [2, 2, 2], [4, 2, 1]])
    inputs = x, mask, words, torch.tensor([0, 4, 4, 9])
    step = gt.value_and_grad(module, **QUICK)
    for _ in range(2):  # the second time, the statistics of the norm are means of two
        value, gradients = step(*inputs)
        theirs.zero_grad()
        wanted = theirs(*inputs)
        wanted.backward()
        assert value == pytest.approx(wanted.item(), rel=1e-12)
        for name, parameter in theirs.named_parameters():
            torch.testing.assert_close(gradients[name], parameter.grad, rtol=1e-9, atol=1e-11, msg=name)
        for (name, ours), other in zip(module.named_buffers(), theirs.buffers(), strict=True):
            torch.testing.assert_close(ours, other, rtol=1e-12, atol=1e-12, msg=name)


class Aligned(nn.Module):
    """CTC in all its forms: lengths as data or numbers, empty targets, and more labels than there is time for."""

    def __init__(self) -> None:
        super().__init__()
        self.scores = nn.Linear(3, 5)

    def forward(self, x: Tensor, targets: Tensor, times: Tensor, lengths: Tensor) -> Tensor:
        scores = self.scores(x).log_softmax(-1)
        flat = torch.tensor([1, 3, 3, 3, 4])
        each = F.ctc_loss(scores, targets, times, lengths, 2, "none")
        mean = F.ctc_loss(scores, flat, (6, 5, 4), (3, 2, 0))
        none = nn.CTCLoss(reduction="sum", zero_infinity=True)(scores, targets, times // 2, lengths)
        lone = F.ctc_loss(scores[:, 0], targets[0], torch.tensor(6), torch.tensor(3), 2)
        return (each * torch.tensor([1.0, 2, 3])).sum() + mean + none + lone


def test_ctc() -> None:
    torch.manual_seed(1)
    module = Aligned().double()
    targets = torch.tensor([[1, 3, 3], [3, 4, 0], [0, 0, 0]])
    inputs = torch.randn(6, 3, 3).double(), targets, torch.tensor([6, 5, 3]), torch.tensor([3, 2, 0])
    value, gradients = gt.value_and_grad(module, **QUICK)(*inputs)
    wanted = module(*inputs)
    wanted.backward()
    assert value == pytest.approx(wanted.item(), rel=1e-12)
    for name, parameter in module.named_parameters():
        torch.testing.assert_close(gradients[name], parameter.grad, rtol=1e-10, atol=1e-12)


def test_packed_sequences_are_refused() -> None:
    class Packs(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.layer = nn.GRU(2, 2)

        def forward(self, x: Tensor) -> Tensor:
            return self.layer(nn.utils.rnn.pack_padded_sequence(x, [3, 2]))[1].sum()

    with pytest.raises(gradir.InputError, match=r"packed sequences.*[\s\S]*pad them"):
        gt.value_and_grad(Packs())(torch.ones(3, 2, 2))
