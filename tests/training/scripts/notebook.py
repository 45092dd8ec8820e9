#!/usr/bin/env python
# ruff: noqa: E402

# # Fit a line

# In[1]:

import torch
from torch import nn

x = torch.randn(300, 4)
y = x.sum(1, keepdim=True)

# In[2]:

from torch.utils.data import DataLoader, TensorDataset

train_dl = DataLoader(TensorDataset(x, y), batch_size=12, shuffle=True)
net = nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=1e-2)

# In[3]:

for epoch in range(300):
    for xb, yb in train_dl:
        loss = ((net(xb) - yb) ** 2).mean()
        loss.backward()
        opt.step()
        opt.zero_grad()
    if epoch % 50 == 0:
        print(epoch, loss.item())
