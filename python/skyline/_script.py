"""What a training script says of itself, by parsing and never by running it: model, loss, optimizer, batch size."""

import ast
import builtins
from collections.abc import Iterator
from dataclasses import dataclass, field

LOADERS = ("DataLoader",)
HUGGING_FACE_BATCH = "per_device_train_batch_size"
# Images and classes of datasets that everybody knows.
DATASETS = {
    "MNIST": ((1, 28, 28), 10),
    "FashionMNIST": ((1, 28, 28), 10),
    "KMNIST": ((1, 28, 28), 10),
    "CIFAR10": ((3, 32, 32), 10),
    "CIFAR100": ((3, 32, 32), 100),
    "SVHN": ((3, 32, 32), 10),
    "ImageNet": ((3, 224, 224), 1000),
}


@dataclass
class Script:
    """Expressions are given as source text; None: not found."""

    model: str | None = None  # what makes the model
    loss: str | None = None  # what makes the loss, or the function's name
    optimizer: str | None = None  # with `model` for the model
    batch_size: int | None = None
    dataset: str | None = None
    is_trainer: bool = False  # Hugging Face: the model computes its own loss
    needed: list[str] = field(default_factory=list)  # source of what the expressions use
    unknown: set[str] = field(default_factory=set)  # names in them that have a value only when the script runs
    notes: list[str] = field(default_factory=list)  # what could not be found, for the user


def read_script(text: str) -> Script:
    """Raises SyntaxError."""
    return Reader(text).read()


def calls(tree: ast.AST) -> Iterator[ast.Call]:
    return (node for node in ast.walk(tree) if isinstance(node, ast.Call))


def last_name(node: ast.expr) -> str:
    """`DataLoader` of `torch.utils.data.DataLoader`."""
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def keyword(call: ast.Call, name: str) -> ast.expr | None:
    return next((one.value for one in call.keywords if one.arg == name), None)


class Reader:
    def __init__(self, text: str) -> None:
        self.tree = ast.parse(text)
        self.text = text
        self.values: dict[str, ast.expr] = {}  # of names, as last assigned
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Assign):
                for target in node.targets:
                    self.values[ast.unparse(target)] = node.value
            elif isinstance(node, ast.AnnAssign) and node.value is not None:
                self.values[ast.unparse(node.target)] = node.value

    def read(self) -> Script:
        script = Script()
        script.is_trainer = any(last_name(call.func).endswith("Trainer") for call in calls(self.tree))
        model_name = self.find_optimizer(script)
        self.find_model(script, model_name)
        self.find_loss(script)
        self.find_batch_size(script)
        script.dataset = next((name for call in calls(self.tree) if (name := last_name(call.func)) in DATASETS), None)
        for name in ("model", "loss", "optimizer"):
            if (text := getattr(script, name)) is not None:
                setattr(script, name, self.with_numbers(text))
        used = [text for text in (script.model, script.loss, script.optimizer) if text is not None]
        script.needed = self.needed_by(used)
        self.note_unknown_names(script, used)
        return script

    def with_numbers(self, text: str) -> str:
        """The expression with the script's constants and its arguments' defaults written out."""
        reader = self

        class Writer(ast.NodeTransformer):
            def generic_visit(self, node: ast.AST) -> ast.AST:
                if isinstance(node, (ast.Attribute, ast.Name)) and (value := reader.constant(node)) is not None:
                    return value
                return super().generic_visit(node)

        return ast.unparse(Writer().visit(ast.parse(text, mode="eval")))

    def constant(self, node: ast.expr) -> ast.expr | None:
        value = self.values.get(ast.unparse(node))
        if value is None and isinstance(node, ast.Attribute):
            value = self.argument_default(node.attr)
        return value if value is not None and is_plain(value) else None

    def note_unknown_names(self, script: Script, expressions: list[str]) -> None:
        known = {"model", *vars(builtins)}
        for text in script.needed:
            known |= {name for node in ast.parse(text).body for name in bound_names(node)}
        for text in expressions:
            for name in sorted(names_in(ast.parse(text)) - known):
                script.unknown.add(name)
                script.notes.append(f"{name} in `{text}`: it gets its value only when the script runs")

    def find_optimizer(self, script: Script) -> str | None:
        """The call that gets the parameters of a model; gives the model's name."""
        for call in calls(self.tree):
            if not call.args or "parameters" not in ast.dump(call.args[0]):
                continue
            owners = [one.func.value for one in calls(call.args[0]) if isinstance(one.func, ast.Attribute)]
            if not owners or last_name(call.func).startswith(("clip_", "sum", "DataParallel")):
                continue
            name = ast.unparse(owners[0])
            kind = last_name(call.func)
            if not kind[:1].isupper():
                continue
            script.optimizer = ast.unparse(call).replace(f"{name}.parameters", "model.parameters")
            return name
        if not script.is_trainer:
            script.notes.append("the optimizer: no call takes a model's parameters()")
        return None

    def find_model(self, script: Script, name: str | None) -> None:
        made = self.values.get(name) if name else None
        if made is None:
            made = next((keyword(call, "model") for call in calls(self.tree) if keyword(call, "model")), None)
            made = self.values.get(last_name(made), made) if made is not None else None
        if made is None:
            made = self.only_module_class()
        if made is None:
            script.notes.append("the model: nothing is built whose parameters() an optimizer gets")
            return
        script.model = ast.unparse(without_device(made))

    def only_module_class(self) -> ast.expr | None:
        """A call of the file's last class of modules, if it can be called without arguments."""
        classes = [node for node in self.tree.body if isinstance(node, ast.ClassDef) and is_module(node)]
        return ast.parse(f"{classes[-1].name}()", mode="eval").body if classes else None

    def find_loss(self, script: Script) -> None:
        if script.is_trainer:
            return
        for call in calls(self.tree):
            name = last_name(call.func)
            if name.endswith("Loss") and name[:1].isupper():
                script.loss = ast.unparse(without_device(call))
                return
        for call in calls(self.tree):
            text = ast.unparse(call.func)
            if text.startswith(("F.", "nn.functional.", "torch.nn.functional.")) and is_loss(last_name(call.func)):
                script.loss = text
                return
        script.notes.append("the loss: neither a …Loss nor a loss of torch.nn.functional is called")

    def find_batch_size(self, script: Script) -> None:
        for call in calls(self.tree):
            name = HUGGING_FACE_BATCH if last_name(call.func) == "TrainingArguments" else "batch_size"
            if last_name(call.func) not in (*LOADERS, "TrainingArguments"):
                continue
            wanted = keyword(call, name)
            if wanted is None and last_name(call.func) in LOADERS and len(call.args) > 1:
                wanted = call.args[1]
            value = self.number(wanted) if wanted is not None else None
            if value is not None:
                script.batch_size = value
                return
        script.notes.append("the batch size: no DataLoader says it as a number, a constant or an argument's default")

    def number(self, node: ast.expr, depth: int = 0) -> int | None:
        if isinstance(node, ast.Constant) and type(node.value) is int:
            return node.value
        text = ast.unparse(node)
        if text in self.values and depth < 8:
            return self.number(self.values[text], depth + 1)
        default = self.argument_default(last_name(node)) if isinstance(node, ast.Attribute) else None
        return self.number(default, depth + 1) if default is not None and depth < 8 else None

    def argument_default(self, name: str) -> ast.expr | None:
        """Of `parser.add_argument("--batch-size", default=32)`."""
        for call in calls(self.tree):
            options = [one.value for one in call.args if isinstance(one, ast.Constant) and isinstance(one.value, str)]
            if last_name(call.func) == "add_argument" and name in [o.lstrip("-").replace("-", "_") for o in options]:
                return keyword(call, "default")
        return None

    def needed_by(self, expressions: list[str]) -> list[str]:
        """Source of the top-level imports, classes, functions and constants that the expressions need, in order."""
        wanted = {name for text in expressions for name in names_in(ast.parse(text))}
        statements = [node for node in self.tree.body if not is_main_guard(node)]
        chosen: set[int] = set()
        while True:
            new = [i for i, node in enumerate(statements) if i not in chosen and bound_names(node) & wanted]
            if not new:
                break
            chosen.update(new)
            wanted |= {name for i in new for name in names_in(statements[i])}
        return [ast.get_source_segment(self.text, statements[i]) or "" for i in sorted(chosen)]


def without_device(node: ast.expr) -> ast.expr:
    """`Net()` of `Net().to(device)` and of `DistributedDataParallel(Net())`."""
    while isinstance(node, ast.Call):
        if isinstance(node.func, ast.Attribute) and node.func.attr in ("to", "cuda", "cpu", "half", "train"):
            node = node.func.value
        elif last_name(node.func) in ("DistributedDataParallel", "DataParallel", "DDP", "compile") and node.args:
            node = node.args[0]
        else:
            break
    return node


def is_module(node: ast.ClassDef) -> bool:
    return any(last_name(base).endswith("Module") for base in node.bases)


def is_loss(name: str) -> bool:
    return name.endswith("_loss") or name in ("cross_entropy", "binary_cross_entropy", "kl_div") or "entropy" in name


def is_main_guard(node: ast.stmt) -> bool:
    return isinstance(node, ast.If) and "__name__" in ast.unparse(node.test)


def names_in(tree: ast.AST) -> set[str]:
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}


def bound_names(node: ast.stmt) -> set[str]:
    """What a top-level statement defines; assignments only if they just set a constant."""
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        return {alias.asname or alias.name.split(".")[0] for alias in node.names}
    if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
        return {node.name}
    if isinstance(node, ast.Assign) and is_plain(node.value):
        return {target.id for target in node.targets if isinstance(target, ast.Name)}
    return set()


def is_plain(node: ast.expr) -> bool:
    try:
        ast.literal_eval(node)
    except (ValueError, TypeError):
        return False
    return True
