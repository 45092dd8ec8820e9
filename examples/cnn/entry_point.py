"""What Skyline runs: a model, its inputs for a batch size, and one training iteration."""

import torch
from model import SmallCnn
from torch import nn


def skyline_model_provider():
    return SmallCnn()


def skyline_input_provider(batch_size=32):
    images = torch.randn(batch_size, 3, 32, 32)
    labels = torch.randint(0, 10, (batch_size,))
    return images, labels


def skyline_iteration_provider(model):
    loss = nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)

    def iteration(images, labels):
        optimizer.zero_grad()
        loss(model(images), labels).backward()
        optimizer.step()

    return iteration
