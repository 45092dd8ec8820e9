"""An LSTM that reads a sentence, and one that writes another while looking back at it."""

import torch
from torch import nn


class Attention(nn.Module):
    """For each word that is written, a mixture of the words that were read."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.query = nn.Linear(width, width, bias=False)
        self.output = nn.Linear(2 * width, width)

    def forward(self, states: torch.Tensor, memory: torch.Tensor) -> torch.Tensor:
        weights = (self.query(states) @ memory.transpose(1, 2)).softmax(-1)
        return torch.tanh(self.output(torch.cat([weights @ memory, states], -1)))


class Translator(nn.Module):
    def __init__(self, words: int = 4000, width: int = 128, layers: int = 2) -> None:
        super().__init__()
        self.source_words, self.target_words = nn.Embedding(words, width), nn.Embedding(words, width)
        self.reader = nn.LSTM(width, width, layers, batch_first=True)
        self.writer = nn.LSTM(width, width, layers, batch_first=True)
        self.attention = Attention(width)
        self.output = nn.Linear(width, words)

    def forward(self, source: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
        memory, state = self.reader(self.source_words(source))
        states, _ = self.writer(self.target_words(target), state)
        return self.output(self.attention(states, memory))
