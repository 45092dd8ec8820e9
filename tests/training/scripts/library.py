"""Settings of a library's kind: the DataLoader is made in files that are not the user's."""

from dataclasses import dataclass

import torch
from installed import fit
from torch import nn
from torch.utils.data import TensorDataset


@dataclass
class Settings:
    learning_rate: float = 0.01
    per_device_train_batch_size: int = 14
    per_device_eval_batch_size: int = 14


model = nn.Linear(8, 1)
fit(model, TensorDataset(torch.randn(400, 8), torch.randn(400, 1)), Settings())
