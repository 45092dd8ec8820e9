"""A small convolutional network for images of 32 × 32."""

import torch
from torch import nn


class Block(nn.Module):
    """Two convolutions, then half the size."""

    def __init__(self, before: int, after: int) -> None:
        super().__init__()
        self.first = nn.Conv2d(before, after, 3, padding=1)
        self.second = nn.Conv2d(after, after, 3, padding=1)
        self.norm = nn.BatchNorm2d(after)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = torch.relu(self.first(x))
        x = torch.relu(self.norm(self.second(x)))
        return nn.functional.max_pool2d(x, 2)


class SmallCnn(nn.Module):
    def __init__(self, classes: int = 10) -> None:
        super().__init__()
        self.blocks = nn.Sequential(Block(3, 16), Block(16, 32), Block(32, 64))
        self.head = nn.Linear(64 * 4 * 4, classes)

    def forward(self, images: torch.Tensor) -> torch.Tensor:
        return self.head(self.blocks(images).flatten(1))
