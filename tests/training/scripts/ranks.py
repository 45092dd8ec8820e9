"""Starts two ranks of its own."""

import torch
import torch.multiprocessing as mp


def train(rank: int, world_size: int) -> None:
    model = torch.nn.Linear(2, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    model(torch.ones(2, 2)).sum().backward()
    optimizer.step()


if __name__ == "__main__":
    mp.spawn(train, args=(2,), nprocs=2)
