"""Settings come from a file, and words of the command line change them, as with Hydra."""

import os
import sys
import tempfile
from types import SimpleNamespace

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def main_with_settings(main):
    def run():
        with open(os.path.join(os.path.dirname(__file__), "settings.yaml")) as file:
            said = dict(line.split(": ") for line in file.read().splitlines())
        said.update(word.split("=") for word in sys.argv[1:])
        os.chdir(tempfile.mkdtemp())
        main(SimpleNamespace(**{name: int(value) for name, value in said.items()}))

    return run


@main_with_settings
def main(cfg):
    data = TensorDataset(torch.randn(400, 8), torch.randn(400, 1))
    model = nn.Linear(8, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    for _ in range(cfg.epochs):
        for inputs, targets in DataLoader(data, batch_size=cfg.batch_size):
            optimizer.zero_grad()
            nn.functional.mse_loss(model(inputs), targets).backward()
            optimizer.step()


if __name__ == "__main__":
    main()
