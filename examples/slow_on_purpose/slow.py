"""A training with three mistakes that many make. docs/tutorial.md finds them one by one; fixed.py has none of them."""

import torch
from model import Classifier
from torch import nn
from torch.utils.data import DataLoader, Dataset

BATCH_SIZE = 4  # mistake 3: so small that every step is mostly overhead
STEPS = 60


class Pictures(Dataset):
    """Pictures that get a little noise, row of pixels by row of pixels."""

    def __init__(self, count):
        generator = torch.Generator().manual_seed(0)
        self.pixels = torch.rand(count, 3, 32, 32, generator=generator)
        self.labels = torch.randint(0, 10, (count,), generator=generator)

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, index):
        rows = [row + 0.1 * torch.randn(32) for row in self.pixels[index].reshape(-1, 32)]  # mistake 1: small operators
        return torch.stack(rows).reshape(3, 32, 32), self.labels[index]


def count_correct(scores, labels):
    correct = 0
    for score, label in zip(scores, labels):
        best = max(range(10), key=lambda i: score[i].item())  # mistake 2: number by number
        correct += int(best == label.item())
    return correct


def train():
    model = Classifier()
    loss_of = nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    correct = 0
    for pixels, labels in DataLoader(Pictures(BATCH_SIZE * STEPS), BATCH_SIZE):
        optimizer.zero_grad()
        scores = model(pixels)
        loss = loss_of(scores, labels)
        loss.backward()
        optimizer.step()
        correct += count_correct(scores, labels)
    print(f"{correct} of {BATCH_SIZE * STEPS} were right")


if __name__ == "__main__":
    train()
