"""A model of a hundred layers, for the cost of its breakdown."""

import torch
from torch import nn


class Layer(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.linear = nn.Linear(256, 256)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + torch.relu(self.linear(x))


def skyline_model_provider():
    return nn.Sequential(*(Layer() for _ in range(100)))


def skyline_input_provider(batch_size=32):
    return (torch.randn(batch_size, 256),)


def skyline_iteration_provider(model):
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-4)

    def iteration(x):
        optimizer.zero_grad()
        model(x).square().mean().backward()
        optimizer.step()

    return iteration
