"""A class that trains, with batches that are dicts, and settings that are one."""

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Sentences(Dataset):
    def __len__(self):
        return 512

    def __getitem__(self, index):
        return {"input_ids": torch.randint(0, 50, (12,)), "label": torch.tensor(index % 2)}


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(50, 16)
        self.head = nn.Linear(16, 2)

    def forward(self, input_ids, label=None):
        logits = self.head(self.embed(input_ids).mean(1))
        return {"logits": logits, "loss": nn.functional.cross_entropy(logits, label)}


class Trainer:
    def __init__(self, model, config):
        self.model, self.config = model, config
        self.loader = self.make_loader(Sentences())
        self.optimizer = torch.optim.AdamW(model.parameters(), lr=config["lr"])

    def make_loader(self, data):
        return DataLoader(data, batch_size=self.config["batch_size"], shuffle=True, drop_last=True)

    def fit(self):
        for _ in range(self.config["epochs"]):
            for batch in self.loader:
                loss = self.model(**batch)["loss"]
                loss.backward()
                nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
                self.optimizer.step()
                self.optimizer.zero_grad()


if __name__ == "__main__":
    Trainer(Classifier(), {"batch_size": 8, "epochs": 50, "lr": 1e-3}).fit()
