from torch import nn


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Conv2d(3, 16, 3, padding=1)
        self.second = nn.Conv2d(16, 32, 3, stride=2, padding=1)
        self.head = nn.Linear(32 * 16 * 16, 10)

    def forward(self, x):
        x = self.first(x).relu()
        x = self.second(x).relu()
        return self.head(x.flatten(1))
