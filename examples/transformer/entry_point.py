"""A Transformer that translates sentences of 32 words."""

import torch
from model import Transformer
from torch import nn

WORDS, LENGTH = 4000, 32


def skyline_model_provider():
    return Transformer(WORDS)


def skyline_input_provider(batch_size=16):
    return tuple(torch.randint(0, WORDS, (batch_size, LENGTH)) for _ in range(3))


def skyline_iteration_provider(model):
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)

    def iteration(source, target, wanted):
        optimizer.zero_grad()
        logits = model(source, target)
        nn.functional.cross_entropy(logits.flatten(0, 1), wanted.flatten()).backward()
        optimizer.step()

    return iteration
