"""Gradients of four batches make one step."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def loaders(size: int = 4):
    return DataLoader(TensorDataset(torch.randn(960, 8), torch.randn(960, 1)), size, shuffle=True)


model = nn.Linear(8, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for _epoch in range(200):
    for number, (inputs, targets) in enumerate(loaders(), start=1):
        (nn.functional.mse_loss(model(inputs), targets) / 4).backward()
        if number % 4 == 0:
            optimizer.step()
            optimizer.zero_grad()
