"""`skyline init SCRIPT.py`: an entry point from a training script, with a comment wherever the user must look."""

import argparse
import ast
import stat
import sys
import textwrap
from pathlib import Path

from ._error import Error
from ._printable import printable
from ._script import DATASETS, Script, bound_names, names_in, read_script

DEFAULT_BATCH_SIZE = 32
MAX_SCRIPT_BYTES = 16 << 20


def entry_point_text(script: Script, name: str) -> str:
    providers = [model_provider(script), input_provider(script), iteration_provider(script)]
    own = [part for part in script.needed if not is_import(part)]
    head = f'"""What Skyline runs, made from {name} by `skyline init`; change what does not fit."""\n\n'
    return head + "\n\n\n".join([imports(script, "\n".join([*own, *providers])), *own, *providers]) + "\n"


def is_import(statement: str) -> bool:
    return statement.startswith(("import ", "from "))


def imports(script: Script, text: str) -> str:
    """The script's own, as far as they are needed, and what the providers use besides."""
    lines = [part for part in script.needed if is_import(part)]
    bound = {name for line in lines for node in ast.parse(line).body for name in bound_names(node)}
    used = names_in(ast.parse(text))
    for name, line in (("torch", "import torch"), ("nn", "from torch import nn")):
        if name in used and name not in bound:
            lines.append(line)
    return "\n".join(sorted(lines, key=lambda line: (line.startswith("from "), line)))


def model_provider(script: Script) -> str:
    if script.model is None:
        body = "# Fill in: the model that is trained.\nraise NotImplementedError"
    else:
        body = f"{to_fill_in(script, script.model)}return {script.model}"
    return provider("skyline_model_provider()", body)


def to_fill_in(script: Script, expression: str) -> str:
    """A comment line if the expression needs what only the running script knows."""
    names = sorted(names_in(ast.parse(expression)) & script.unknown)
    return f"# Fill in: {', '.join(names)}.\n" if names else ""


def input_provider(script: Script) -> str:
    size = script.batch_size or DEFAULT_BATCH_SIZE
    comment = "" if script.batch_size else "# The script does not say its batch size.\n"
    if script.is_trainer:
        body = """
            # Check: as many tokens as your sentences have, below the size of your vocabulary.
            tokens = torch.randint(0, 1000, (batch_size, 128))
            return (tokens,)
        """
    elif script.dataset is not None:
        shape, classes = DATASETS[script.dataset]
        body = f"""
            # As {script.dataset} has them, if nothing changes their size.
            images = torch.randn(batch_size, {", ".join(map(str, shape))})
            labels = torch.randint(0, {classes}, (batch_size,))
            return images, labels
        """
    else:
        body = """
            # Fill in: the shapes and types that your data has.
            inputs = torch.randn(batch_size, 1)
            targets = torch.randn(batch_size, 1)
            return inputs, targets
        """
    return provider(f"skyline_input_provider(batch_size={size})", comment + textwrap.dedent(body).strip())


def iteration_provider(script: Script) -> str:
    optimizer = script.optimizer or ("torch.optim.AdamW(model.parameters(), lr=5e-5)" if script.is_trainer else None)
    lines = []
    if optimizer is None:
        lines.append("# Fill in: the optimizer.")
        optimizer = "torch.optim.SGD(model.parameters(), lr=0.01)"
    lines.append(f"{to_fill_in(script, optimizer)}optimizer = {optimizer}")
    if script.is_trainer:
        arguments, loss = "tokens", "model(input_ids=tokens, labels=tokens).loss"
    else:
        arguments, loss = "inputs, targets", "loss_function(model(inputs), targets)"
        if script.loss is None:
            lines.append("# Fill in: the loss.")
        lines.append(f"loss_function = {script.loss or 'nn.MSELoss()'}")
    body = f"""
def iteration({arguments}):
    optimizer.zero_grad()
    {loss}.backward()
    optimizer.step()

return iteration"""
    return provider("skyline_iteration_provider(model)", "\n".join(lines) + "\n" + body)


def provider(declaration: str, body: str) -> str:
    return f"def {declaration}:\n{textwrap.indent(body, '    ')}"


def parser() -> argparse.ArgumentParser:
    options = argparse.ArgumentParser(
        prog="skyline init",
        description="Writes an entry point for a training script, which is read and not run.",
        allow_abbrev=False,
    )
    options.add_argument("script", type=Path, metavar="SCRIPT.py")
    options.add_argument("-o", "--output", type=Path, metavar="FILE", help="default: entry_point.py beside the script")
    options.add_argument("--force", action="store_true", help="replace an existing file")
    return options


def read_text(script: Path) -> str:
    """A name may stand for anything: a FIFO that nobody writes to, a device that never ends."""
    about = script.stat()
    if not stat.S_ISREG(about.st_mode):
        raise Error(f"{script} is no plain file; name the training script")
    if about.st_size > MAX_SCRIPT_BYTES:
        raise Error(f"{script} is larger than {MAX_SCRIPT_BYTES >> 20} MiB; name the training script")
    return script.read_text(encoding="utf-8")


def main(arguments: list[str]) -> int:
    options = parser().parse_args(arguments)
    output = options.output or options.script.with_name("entry_point.py")
    try:
        text = read_text(options.script)
        script = read_script(text)
    except OSError as error:
        raise Error(f"{options.script} can not be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise Error(f"{options.script} is not UTF-8; save it so and try again") from None
    except (SyntaxError, ValueError) as error:
        line = getattr(error, "lineno", None) or 1
        raise Error(f"{options.script}:{line}: this is not Python: {getattr(error, 'msg', error)}") from None
    if output.exists() and not options.force:
        raise Error(f"{output} is there already; give another name with -o, or --force")
    try:
        output.write_text(entry_point_text(script, options.script.name), encoding="utf-8")
    except OSError as error:
        raise Error(f"{output} can not be written: {error.strerror}") from None
    print(f"wrote {printable(output)}")
    for note in script.notes:
        print(f"skyline: not found: {printable(note)}", file=sys.stderr)
    if not script.is_trainer and script.dataset is None:
        print("skyline: not found: the shapes of the inputs; fill them in", file=sys.stderr)
    return 0
