# %% A notebook as a script
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

# %% Data
BATCH = 16
x, y = torch.randn(256, 1), torch.randn(256, 1)
loader = DataLoader(TensorDataset(x, y), BATCH)

# %% Model
net = nn.Sequential(nn.Linear(1, 8), nn.Tanh(), nn.Linear(8, 1))
criterion = nn.MSELoss()
opt = torch.optim.SGD(net.parameters(), lr=1e-2, momentum=0.9)

# %% Training
for _ in range(3):
    for a, b in loader:
        opt.zero_grad()
        criterion(net(a), b).backward()
        opt.step()
