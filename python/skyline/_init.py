"""`skyline init SCRIPT.py`: an entry point from a training script. What a run of a few steps has shown is written down,
and tried; with --no-run the script is only read, and a comment stands wherever the user must look."""

import argparse
import ast
import os
import stat
import subprocess
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
        description="Runs a training script for a few steps and writes an entry point of what was seen.",
        usage="skyline init [OPTIONS] SCRIPT.py [-- ARGS…]",
        allow_abbrev=False,
    )
    options.add_argument("script", type=Path, metavar="SCRIPT.py")
    options.add_argument("-o", "--output", type=Path, metavar="FILE", help="default: entry_point.py beside the script")
    options.add_argument("--force", action="store_true", help="replace an existing file")
    options.add_argument(
        "--no-run", action="store_true", help="only read the script; what it does not say is to fill in"
    )
    return options


def read_text(script: Path) -> str:
    """A name may stand for anything: a FIFO that nobody writes to, a device that never ends."""
    about = script.stat()
    if not stat.S_ISREG(about.st_mode):
        raise Error(f"{script} is no plain file; name the training script")
    if about.st_size > MAX_SCRIPT_BYTES:
        raise Error(f"{script} is larger than {MAX_SCRIPT_BYTES >> 20} MiB; name the training script")
    return script.read_text(encoding="utf-8")


def write_what_runs(script: Path, arguments: list[str], output: Path) -> int:
    """0, or 1 where there is no entry point, and why was said."""
    from . import _init_seen, _init_text  # they import torch, which merely reading a script does not need

    say(f"running {printable(script)} for a few steps; what it writes goes where it puts it")
    try:
        seen = _init_seen.watch_run(script, arguments)
        if seen["from_script"] and not has_guard(script):
            raise Error(
                f'{script.name} has no `if __name__ == "__main__":`, so that its classes cannot be imported without '
                f"training; put what it runs below one, or run it as it is: skyline interactive {script.name}"
            )
        text = _init_text.entry_point_of(seen, script.name)
        tried_ms = try_text(text, output)
    except Error as error:
        say(f"no entry point was written: {printable(error)}")
        return 1
    print(f"wrote {printable(output)}; one iteration of it took {tried_ms:.1f} ms")
    if seen["schedulers"]:
        say(f"left out: {', '.join(seen['schedulers'])}, which takes no time to speak of")
    return 0


def say(sentence: str) -> None:
    print(f"skyline: {sentence}", file=sys.stderr, flush=True)


def has_guard(script: Path) -> bool:
    tree = ast.parse(script.read_bytes())
    return any(isinstance(node, ast.If) and "__name__" in names_in(node.test) for node in tree.body)


def try_text(text: str, output: Path) -> float:
    """Runs it in a process of its own and puts it in its place; what is wrong is raised."""
    part = output.with_name(f".{output.stem}.{os.getpid()}.py")
    try:
        part.write_text(text, encoding="utf-8")
        done = subprocess.run(
            [sys.executable, "-c", TRY, str(Path(__file__).parent.parent), str(part)],
            capture_output=True,
            text=True,
            check=False,
            stdin=subprocess.DEVNULL,
        )
        if done.returncode != 0:
            said = [line for line in done.stderr.splitlines() if line.strip()]
            why = said[-1] if said else f"its process ended with {done.returncode}"
            raise Error(f"what was seen does not run again: {why.replace(str(part), output.name)}")
        part.replace(output)
        return float(done.stdout.splitlines()[-1])
    except OSError as error:
        raise Error(f"{output} cannot be written: {error.strerror}") from None
    finally:
        part.unlink(missing_ok=True)


TRY = """
import sys, time
sys.path.insert(0, sys.argv[1])
from pathlib import Path
from skyline import _contract
from skyline._error import Error
del sys.path[0]
try:
    entry = _contract.load(Path(sys.argv[2]))
    model = entry.model()
    iteration, inputs = entry.iteration(model), entry.inputs()
    entry.run("the iteration", iteration, *inputs)
    began = time.perf_counter()
    entry.run("the iteration", iteration, *inputs)
    print((time.perf_counter() - began) * 1e3)
except Error as error:
    sys.exit(str(error))
"""


def main(arguments: list[str]) -> int:
    ours, own = arguments, []
    if "--" in arguments:
        ours, own = arguments[: arguments.index("--")], arguments[arguments.index("--") + 1 :]
    options = parser().parse_args(ours)
    output = options.output or options.script.with_name("entry_point.py")
    try:
        text = read_text(options.script)
        script = read_script(text)
    except OSError as error:
        raise Error(f"{options.script} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise Error(f"{options.script} is not UTF-8; save it so and try again") from None
    except (SyntaxError, ValueError) as error:
        line = getattr(error, "lineno", None) or 1
        raise Error(f"{options.script}:{line}: this is not Python: {getattr(error, 'msg', error)}") from None
    if output.exists() and not options.force:
        raise Error(f"{output} is there already; give another name with -o, or --force")
    if not options.no_run:
        return write_what_runs(options.script, own, output)
    try:
        output.write_text(entry_point_text(script, options.script.name), encoding="utf-8")
    except OSError as error:
        raise Error(f"{output} cannot be written: {error.strerror}") from None
    print(f"wrote {printable(output)}")
    for note in script.notes:
        print(f"skyline: not found: {printable(note)}", file=sys.stderr)
    if not script.is_trainer and script.dataset is None:
        print("skyline: not found: the shapes of the inputs; fill them in", file=sys.stderr)
    return 0
