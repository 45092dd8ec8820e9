"""ResNet-50 on images of 224 × 224; about 0.2 s per image and iteration on a laptop's core."""

import torch
from model import ResNet50
from torch import nn


def skyline_model_provider():
    return ResNet50()


def skyline_input_provider(batch_size=4):
    return torch.randn(batch_size, 3, 224, 224), torch.randint(0, 1000, (batch_size,))


def skyline_iteration_provider(model):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9, weight_decay=1e-4)

    def iteration(images, labels):
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(images), labels).backward()
        optimizer.step()

    return iteration
