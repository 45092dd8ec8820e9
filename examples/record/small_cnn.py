"""A model small enough to read at a glance: it tells bright from dark pictures, made up on the spot.

Its input is slow on purpose: pictures come eight times too large and are scaled down one by one in the training
process, as many a first data loader does. A profile should say so.
"""

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

RAW_SIZE = 256
PICTURE_SIZE = 32
BATCH_SIZE = 16


class Pictures(Dataset):
    """Noise, brighter for class 1. Each picture has its own seed, so every run sees the same data."""

    def __init__(self, count: int) -> None:
        self.count = count

    def __len__(self) -> int:
        return self.count

    def __getitem__(self, index: int) -> tuple[torch.Tensor, int]:
        label = index % 2
        noise = torch.Generator().manual_seed(index)
        raw = torch.rand(1, 3, RAW_SIZE, RAW_SIZE, generator=noise) + 0.1 * label
        picture = nn.functional.interpolate(raw, size=PICTURE_SIZE, mode="bilinear", antialias=True)
        return picture[0], label


class SmallCnn(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(3, 16, kernel_size=3, padding=1),
            nn.BatchNorm2d(16),
            nn.ReLU(),
            nn.MaxPool2d(2),
            nn.Conv2d(16, 32, kernel_size=3, padding=1),
            nn.ReLU(),
            nn.AdaptiveAvgPool2d(4),
        )
        self.classify = nn.Linear(32 * 4 * 4, 2)

    def forward(self, pictures: torch.Tensor) -> torch.Tensor:
        return self.classify(self.features(pictures).flatten(1))


def train(steps: int, after_step=lambda: None) -> float:
    """Trains for `steps` batches, calls `after_step` after each, returns the last loss."""
    torch.manual_seed(0)
    model = SmallCnn()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    loss = torch.zeros(())
    for pictures, labels in DataLoader(Pictures(steps * BATCH_SIZE), batch_size=BATCH_SIZE):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(pictures), labels)
        loss.backward()
        optimizer.step()
        after_step()
    return loss.item()


if __name__ == "__main__":
    print(f"loss after 50 steps: {train(50):.3f}")
