import { expect, test } from "vitest";
import { shortName } from "./paint";

test.each([
  ["torch/nn/modules/module.py(1743): _call_impl", "_call_impl"],
  ["nn.Module: Qwen2Model_0", "Qwen2Model_0"],
  ["aten::cudnn_convolution", "cudnn_convolution"],
  ["autograd::engine::evaluate_function: AddmmBackward0", "engine::evaluate_function: AddmmBackward0"],
  ["layer1.0.conv1", "layer1.0.conv1"],
])("%s is %s where there is little room", (name, short) => expect(shortName(name)).toBe(short));
