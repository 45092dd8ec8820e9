"""Several processes."""

import os

import torch
import torchvision.models as models
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler
from torchvision.datasets import CIFAR10


def worker(rank: int, world: int) -> None:
    torch.distributed.init_process_group("nccl")
    data = CIFAR10("data")
    loader = DataLoader(data, batch_size=128, sampler=DistributedSampler(data))
    model = DDP(models.resnet18(num_classes=10).to(rank), device_ids=[rank])
    loss_fn = nn.CrossEntropyLoss(label_smoothing=0.1).to(rank)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1 * world)
    for x, y in loader:
        optimizer.zero_grad()
        loss_fn(model(x), y).backward()
        optimizer.step()


if __name__ == "__main__":
    worker(int(os.environ["RANK"]), 8)
