"""A small GPT that learns the next token of sequences of 128."""

import torch
from model import Gpt
from torch import nn

TOKENS, LENGTH = 8000, 128


def skyline_model_provider():
    return Gpt(TOKENS, LENGTH)


def skyline_input_provider(batch_size: int = 8):
    return (torch.randint(0, TOKENS, (batch_size, LENGTH + 1)),)


def skyline_iteration_provider(model):
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-4)

    def iteration(tokens):
        optimizer.zero_grad()
        logits = model(tokens[:, :-1])
        nn.functional.cross_entropy(logits.flatten(0, 1), tokens[:, 1:].flatten()).backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()

    return iteration
