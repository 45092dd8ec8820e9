"""Two models, two optimizers."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

generator = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 8))
discriminator = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 1))
of_generator = torch.optim.Adam(generator.parameters())
of_discriminator = torch.optim.Adam(discriminator.parameters())
loss = nn.BCEWithLogitsLoss()

for _epoch in range(200):
    for (real,) in DataLoader(TensorDataset(torch.randn(256, 8)), batch_size=32):
        ones, zeros = torch.ones(len(real), 1), torch.zeros(len(real), 1)
        fake = generator(torch.randn(len(real), 4))
        of_discriminator.zero_grad()
        (loss(discriminator(real), ones) + loss(discriminator(fake.detach()), zeros)).backward()
        of_discriminator.step()
        of_generator.zero_grad()
        loss(discriminator(fake), ones).backward()
        of_generator.step()
