"""ResNet-50: sixteen bottleneck blocks in four stages."""

import torch
from torch import nn

STAGES = ((64, 3, 1), (128, 4, 2), (256, 6, 2), (512, 3, 2))  # width, blocks, stride of the first
EXPANSION = 4


class Bottleneck(nn.Module):
    """1 × 1 to fewer channels, 3 × 3, and 1 × 1 back, beside a shortcut."""

    def __init__(self, before: int, width: int, stride: int) -> None:
        super().__init__()
        after = width * EXPANSION
        self.narrow = conv_and_norm(before, width, 1)
        self.work = conv_and_norm(width, width, 3, stride)
        self.widen = conv_and_norm(width, after, 1)
        fits = stride == 1 and before == after
        self.shortcut = nn.Identity() if fits else conv_and_norm(before, after, 1, stride)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = torch.relu(self.narrow(x))
        y = torch.relu(self.work(y))
        return torch.relu(self.widen(y) + self.shortcut(x))


def conv_and_norm(before: int, after: int, size: int, stride: int = 1) -> nn.Sequential:
    conv = nn.Conv2d(before, after, size, stride, padding=size // 2, bias=False)
    return nn.Sequential(conv, nn.BatchNorm2d(after))


class ResNet50(nn.Module):
    def __init__(self, classes: int = 1000) -> None:
        super().__init__()
        self.stem = conv_and_norm(3, 64, 7, 2)
        stages, channels = [], 64
        for width, count, stride in STAGES:
            blocks = []
            for number in range(count):
                blocks.append(Bottleneck(channels, width, stride if number == 0 else 1))
                channels = width * EXPANSION
            stages.append(nn.Sequential(*blocks))
        self.stages = nn.Sequential(*stages)
        self.head = nn.Linear(channels, classes)

    def forward(self, images: torch.Tensor) -> torch.Tensor:
        x = nn.functional.max_pool2d(torch.relu(self.stem(images)), 3, 2, padding=1)
        return self.head(self.stages(x).mean((2, 3)))
