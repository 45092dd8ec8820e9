"""slow.py without its three mistakes."""

import torch
from model import Classifier
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

BATCH_SIZE = 16
STEPS = 60


def pictures(count):
    generator = torch.Generator().manual_seed(0)
    pixels = torch.rand(count, 3, 32, 32, generator=generator)
    return TensorDataset(pixels, torch.randint(0, 10, (count,), generator=generator))


def train():
    model = Classifier()
    loss_of = nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    correct = torch.zeros((), dtype=torch.int64)
    for pixels, labels in DataLoader(pictures(BATCH_SIZE * STEPS), BATCH_SIZE):
        pixels = pixels + 0.1 * torch.randn(pixels.shape)  # the whole batch at once
        optimizer.zero_grad()
        scores = model(pixels)
        loss = loss_of(scores, labels)
        loss.backward()
        optimizer.step()
        correct += (scores.argmax(1) == labels).sum()  # stays a tensor until it is printed
    print(f"{int(correct)} of {BATCH_SIZE * STEPS} were right")


if __name__ == "__main__":
    train()
