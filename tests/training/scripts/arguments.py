"""Everything is said on the command line."""

import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def parse_args():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, required=True)
    parser.add_argument("-b", "--batch-size", type=int, default=10)
    return parser.parse_args()


def main():
    args = parse_args()
    data = TensorDataset(torch.randn(400, 8), torch.randn(400, 1))
    model = nn.Linear(8, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)
    for _ in range(args.epochs):
        for inputs, targets in DataLoader(data, batch_size=args.batch_size):
            optimizer.zero_grad()
            nn.functional.mse_loss(model(inputs), targets).backward()
            optimizer.step()


if __name__ == "__main__":
    main()
