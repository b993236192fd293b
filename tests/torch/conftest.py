"""PyTorch on one thread: the tests of several processes share the cores."""

import torch

torch.set_num_threads(1)
