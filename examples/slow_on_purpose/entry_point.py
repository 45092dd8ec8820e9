"""The model of slow.py, to find a better batch size: ./skyline interactive examples/slow_on_purpose/entry_point.py"""

import torch
from model import Classifier
from torch import nn


def skyline_model_provider():
    return Classifier()


def skyline_input_provider(batch_size=4):
    return torch.rand(batch_size, 3, 32, 32), torch.randint(0, 10, (batch_size,))


def skyline_iteration_provider(model):
    loss_of = nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)

    def iteration(pixels, labels):
        optimizer.zero_grad()
        loss_of(model(pixels), labels).backward()
        optimizer.step()

    return iteration
