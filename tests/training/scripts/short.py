"""Ends after a few steps."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

model = nn.Linear(8, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for inputs, targets in DataLoader(TensorDataset(torch.randn(60, 8), torch.randn(60, 1)), batch_size=10):
    optimizer.zero_grad()
    nn.functional.mse_loss(model(inputs), targets).backward()
    optimizer.step()
print("done")
