"""An LSTM with attention that translates sentences of 24 words."""

import torch
from model import Translator
from torch import nn

WORDS, LENGTH = 4000, 24


def skyline_model_provider():
    return Translator(WORDS)


def skyline_input_provider(batch_size=32):
    return tuple(torch.randint(0, WORDS, (batch_size, LENGTH)) for _ in range(3))


def skyline_iteration_provider(model):
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)

    def iteration(source, target, wanted):
        optimizer.zero_grad()
        logits = model(source, target)
        nn.functional.cross_entropy(logits.flatten(0, 1), wanted.flatten()).backward()
        optimizer.step()

    return iteration
