"""A Transformer encoder and decoder for translation; the layers are called in a loop."""

import math

import torch
from torch import nn


class Attention(nn.Module):
    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.query = nn.Linear(width, width)
        self.key = nn.Linear(width, width)
        self.value = nn.Linear(width, width)
        self.output = nn.Linear(width, width)

    def forward(self, x: torch.Tensor, memory: torch.Tensor, mask: torch.Tensor | None = None) -> torch.Tensor:
        query, key, value = self.split(self.query(x)), self.split(self.key(memory)), self.split(self.value(memory))
        scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
        if mask is not None:
            scores = scores.masked_fill(mask, float("-inf"))
        mixed = scores.softmax(-1) @ value
        return self.output(mixed.transpose(1, 2).flatten(2))

    def split(self, x: torch.Tensor) -> torch.Tensor:
        """(batch, length, width) -> (batch, heads, length, width of a head)"""
        return x.unflatten(-1, (self.heads, -1)).transpose(1, 2)


class FeedForward(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.up = nn.Linear(width, 4 * width)
        self.down = nn.Linear(4 * width, width)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.down(torch.relu(self.up(x)))


class EncoderLayer(nn.Module):
    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.attention, self.feed_forward = Attention(width, heads), FeedForward(width)
        self.norms = nn.ModuleList(nn.LayerNorm(width) for _ in range(2))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.norms[0](x + self.attention(x, x))
        return self.norms[1](x + self.feed_forward(x))


class DecoderLayer(nn.Module):
    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.self_attention, self.attention = Attention(width, heads), Attention(width, heads)
        self.feed_forward = FeedForward(width)
        self.norms = nn.ModuleList(nn.LayerNorm(width) for _ in range(3))

    def forward(self, x: torch.Tensor, memory: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        x = self.norms[0](x + self.self_attention(x, x, mask))
        x = self.norms[1](x + self.attention(x, memory))
        return self.norms[2](x + self.feed_forward(x))


class Transformer(nn.Module):
    def __init__(self, words: int = 4000, width: int = 128, heads: int = 4, layers: int = 3) -> None:
        super().__init__()
        self.embedding = nn.Embedding(words, width)
        self.encoder = nn.ModuleList(EncoderLayer(width, heads) for _ in range(layers))
        self.decoder = nn.ModuleList(DecoderLayer(width, heads) for _ in range(layers))
        self.output = nn.Linear(width, words)

    def forward(self, source: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
        memory = self.embedding(source)
        for layer in self.encoder:
            memory = layer(memory)
        length = target.shape[1]
        later = torch.ones(length, length, dtype=torch.bool, device=target.device).triu(1)
        x = self.embedding(target)
        for layer in self.decoder:
            x = layer(x, memory, later)
        return self.output(x)
