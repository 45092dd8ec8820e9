"""Batches are cut from one long text; there is no DataLoader, and the model is compiled if it is said so."""

import sys

import torch
from torch import nn

batch_size = 6
block_size = 16
text = torch.randint(0, 30, (5000,))


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(30, 24)
        self.head = nn.Linear(24, 30)

    def forward(self, tokens, targets):
        return nn.functional.cross_entropy(self.head(self.embed(tokens)).flatten(0, 1), targets.flatten())


def get_batch():
    starts = torch.randint(len(text) - block_size - 1, (batch_size,))
    return (
        torch.stack([text[at : at + block_size] for at in starts]),
        torch.stack([text[at + 1 : at + 1 + block_size] for at in starts]),
    )


model = Model()
if "--compile" in sys.argv:
    model = torch.compile(model, backend="aot_eager")
optimizer = torch.optim.AdamW(model.parameters())
for _step in range(2000):
    loss = model(*get_batch())
    optimizer.zero_grad(set_to_none=True)
    loss.backward()
    optimizer.step()
