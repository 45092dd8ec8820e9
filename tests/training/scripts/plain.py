"""A loop as tutorials have it, with an evaluation after each epoch."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

BATCH_SIZE = 16


def main() -> None:
    data = TensorDataset(torch.randn(1000, 8), torch.randint(0, 3, (1000,)))
    train, test = DataLoader(data, batch_size=BATCH_SIZE, shuffle=True), DataLoader(data, batch_size=500)
    model = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 3))
    optimizer = torch.optim.Adam(model.parameters())
    for epoch in range(100):
        model.train()
        for inputs, labels in train:
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(inputs), labels).backward()
            optimizer.step()
        model.eval()
        with torch.no_grad():
            right = sum(int((model(inputs).argmax(1) == labels).sum()) for inputs, labels in test)
        print("epoch", epoch, right)


if __name__ == "__main__":
    main()
