"""The entry point of what a run has shown (_init_seen.py)."""

import textwrap

from ._init_seen import Seen


def entry_point_of(seen: Seen, script: str) -> str:
    names = [name for name, _ in seen["inputs"]]
    model = seen["model"] if seen["device"] == "cpu" else f'{seen["model"]}.to("{seen["device"]}")'
    imports = set(seen["imports"]) | {"import torch"} | ({"from torch import nn"} if uses_nn(seen) else set())
    head = f'"""What Skyline runs, as a run of {script} has shown it to `skyline init`."""\n\n'
    ordered = sorted(imports, key=lambda line: (line.startswith("from "), line))
    inputs = "\n".join(f"{name} = {text}" for name, text in seen["inputs"])
    returned = f"return {names[0]}," if len(names) == 1 else f"return {', '.join(names)}"
    parts = [
        "\n".join(ordered),
        function("skyline_model_provider()", f"return {model}.train()"),
        function(f"skyline_input_provider(batch_size={seen['batch_size']})", f"{inputs}\n{returned}"),
        function("skyline_iteration_provider(model)", iteration_of(seen, names)),
    ]
    return head + "\n\n\n".join(parts) + "\n"


def uses_nn(seen: Seen) -> bool:
    return any("nn." in line for line in [seen["model"], *seen["lines"]]) or seen["clip"] is not None


def iteration_of(seen: Seen, names: list[str]) -> str:
    before = [f"optimizer = {seen['optimizer']}"]
    if seen["scales"]:
        before.append(f'scaler = torch.amp.GradScaler("{seen["device"].partition(":")[0]}")')
    forward = seen["lines"]
    if seen["autocast"]:
        kind, dtype = seen["autocast"]
        forward = [f'with torch.autocast("{kind}", dtype={dtype}):', *(f"    {line}" for line in forward)]
    loss = "loss" if seen["batches"] == 1 else f"(loss / {seen['batches']})"
    steps = [*forward, f"scaler.scale({loss}).backward()" if seen["scales"] else f"{loss}.backward()"]
    if seen["batches"] > 1:
        steps = [f"for _ in range({seen['batches']}):", *(f"    {line}" for line in steps)]
    if seen["clip"]:
        name, limit = seen["clip"]
        steps += ["scaler.unscale_(optimizer)"] if seen["scales"] else []
        steps.append(f"nn.utils.{name}(model.parameters(), {limit})")
    steps += ["scaler.step(optimizer)", "scaler.update()"] if seen["scales"] else ["optimizer.step()"]
    body = "\n".join(["optimizer.zero_grad()", *steps])
    return "\n".join([*before, "", function(f"iteration({', '.join(names)})", body), "", "return iteration"])


def function(declaration: str, body: str) -> str:
    return f"def {declaration}:\n{textwrap.indent(body, '    ')}"
