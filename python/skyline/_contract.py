"""The contract with an entry point: three providers in a Python file.

    skyline_model_provider()                      gives the model
    skyline_input_provider(batch_size=32)         gives the inputs of one iteration
    skyline_iteration_provider(model)             gives a function that runs one iteration on the inputs

The names may begin with deepview_ as well. Whatever is wrong is said with its file and line and with what to write
instead.
"""

import importlib.util
import inspect
import sys
import traceback
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ._error import Error

PREFIXES = ("skyline", "deepview")
MODULE_NAME = "skyline_entry_point"

Provider = Callable[..., Any]


class ContractError(Error):
    """What is wrong in the user's code, and where."""

    def __init__(self, path: Path | str, line: int, sentence: str) -> None:
        super().__init__(f"{path}:{line}: {sentence}")
        self.path, self.line, self.sentence = Path(path), line, sentence


@dataclass(frozen=True)
class Rule:
    """One provider: its name without the prefix, how it is declared, and what its parameters must be."""

    name: str
    example: str
    check: Callable[[inspect.Signature], str | None]  # what is wrong


def is_needed(parameter: inspect.Parameter) -> bool:
    kinds = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    return parameter.default is inspect.Parameter.empty and parameter.kind not in kinds


def check_model_provider(signature: inspect.Signature) -> str | None:
    needed = [name for name, parameter in signature.parameters.items() if is_needed(parameter)]
    return f"takes no arguments, but wants {', '.join(needed)}" if needed else None


def check_input_provider(signature: inspect.Signature) -> str | None:
    parameter = signature.parameters.get("batch_size")
    if parameter is None:
        return "needs a parameter batch_size"
    if parameter.kind is inspect.Parameter.POSITIONAL_ONLY:
        return "is called with batch_size=…, which its / does not allow"
    if type(parameter.default) is not int or parameter.default < 1:
        return "needs a whole number of at least 1 as the default of batch_size"
    others = [name for name, other in signature.parameters.items() if is_needed(other)]
    return f"is called with batch_size only, but also wants {', '.join(others)}" if others else None


def check_iteration_provider(signature: inspect.Signature) -> str | None:
    positional = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    parameters = list(signature.parameters.values())
    takes_one = any(one.kind in (*positional, inspect.Parameter.VAR_POSITIONAL) for one in parameters)
    needed = [one for one in parameters if is_needed(one)]
    fits = takes_one and len(needed) <= 1 and all(one.kind in positional for one in needed)
    return None if fits else "takes the model and nothing else"


RULES = (
    Rule("model_provider", "def skyline_model_provider():", check_model_provider),
    Rule("input_provider", "def skyline_input_provider(batch_size=32):", check_input_provider),
    Rule("iteration_provider", "def skyline_iteration_provider(model):", check_iteration_provider),
)


@dataclass(frozen=True)
class EntryPoint:
    """A loaded entry point whose providers can be called."""

    path: Path
    project_root: Path
    providers: dict[str, Provider]
    batch_size: int  # the default of the input provider

    def model(self) -> Any:
        model = self._call("model_provider")
        if not callable(model):
            raise self._wrong("model_provider", f"must return a model that can be called, not {describe(model)}")
        return model

    def inputs(self, batch_size: int | None = None) -> tuple[Any, ...]:
        inputs = self._call("input_provider", batch_size=self.batch_size if batch_size is None else batch_size)
        if is_tensor(inputs):
            raise self._wrong("input_provider", "must return all inputs as a tuple; write `return (tensor,)`")
        if isinstance(inputs, (str, bytes, dict)) or not isinstance(inputs, Iterable):
            raise self._wrong("input_provider", f"must return the inputs as a tuple, not {describe(inputs)}")
        return tuple(inputs)

    def iteration(self, model: Any) -> Callable[..., Any]:
        iteration = self._call("iteration_provider", model)
        if not callable(iteration):
            message = f"must return a function that runs one iteration, not {describe(iteration)}"
            raise self._wrong("iteration_provider", message)
        return iteration  # type: ignore[no-any-return]

    def run(self, what: str, function: Callable[..., Any], *arguments: Any, **named: Any) -> Any:
        """Calls the user's code; an exception in it becomes an error at the user's line."""
        try:
            return function(*arguments, **named)
        except (Exception, SystemExit) as error:
            raise error_of(error, what, self.path, self.project_root) from error

    def _call(self, name: str, *arguments: Any, **named: Any) -> Any:
        return self.run(f"the {name.replace('_', ' ')}", self.providers[name], *arguments, **named)

    def _wrong(self, name: str, sentence: str) -> ContractError:
        provider = self.providers[name]
        path, line = place_of(provider, self.path)
        return ContractError(path, line, f"{name_of(provider, name)} {sentence}")


def load(path: Path, project_root: Path | None = None) -> EntryPoint:
    """Runs the file and finds its providers; raises ContractError."""
    path = path.resolve()
    root = (project_root or path.parent).resolve()
    if not path.is_file():
        raise Error(f"there is no entry point {path}; save it there again, or name another")
    namespace = run_file(path, root)
    providers = {rule.name: find_provider(rule, namespace, path) for rule in RULES}
    batch_size = inspect.signature(providers["input_provider"]).parameters["batch_size"].default
    return EntryPoint(path, root, providers, batch_size)


def has_providers(path: Path) -> bool:
    """Whether the file speaks of any; else it is a training script."""
    try:
        text = path.read_text(errors="replace")
    except OSError:
        return True  # what is wrong with it, loading will say
    return any(f"{prefix}_{rule.name}" in text for prefix in PREFIXES for rule in RULES)


def run_file(path: Path, root: Path) -> dict[str, Any]:
    """The file's names after it has run, with its folder and the project's root as the first places of imports."""
    for folder in (str(root), str(path.parent)):
        if folder not in sys.path[:2]:
            sys.path.insert(0, folder)
    spec = importlib.util.spec_from_file_location(MODULE_NAME, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[MODULE_NAME] = module
    try:
        spec.loader.exec_module(module)
    except SyntaxError as error:
        place = Path(error.filename or path)
        raise ContractError(place, error.lineno or 1, f"this is not Python: {error.msg}") from error
    except UnicodeDecodeError as error:
        raise ContractError(path, 1, f"the file is not UTF-8 ({error.reason}); declare its encoding") from error
    except (Exception, SystemExit) as error:
        raise error_of(error, "the entry point", path, root) from error
    return vars(module)


def find_provider(rule: Rule, namespace: dict[str, Any], path: Path) -> Provider:
    names = [f"{prefix}_{rule.name}" for prefix in PREFIXES]
    found = next((name for name in names if name in namespace), None)
    if found is None:
        raise ContractError(path, 1, f"{names[0]} is missing; write `{rule.example}`")
    provider = namespace[found]
    where, line = place_of(provider, path)
    if not callable(provider):
        sentence = f"{found} is {describe(provider)}, not a function; write `{rule.example}`"
        raise ContractError(path, line_of_assignment(path, found), sentence)
    try:
        wrong = rule.check(inspect.signature(provider))
    except (TypeError, ValueError):
        wrong = "has parameters that cannot be seen"
    if wrong is not None:
        raise ContractError(where, line, f"{found} {wrong}; write `{rule.example}`")
    return provider  # type: ignore[no-any-return]


def place_of(provider: Any, otherwise: Path) -> tuple[Path, int]:
    """Where a function, a decorated one, or a callable object's class is written."""
    function = inspect.unwrap(provider) if callable(provider) else provider
    function = getattr(function, "func", function)  # of functools.partial
    if not hasattr(function, "__code__") and callable(function):
        function = type(function).__call__
    code = getattr(function, "__code__", None)
    return (Path(code.co_filename), code.co_firstlineno) if code is not None else (otherwise, 1)


def line_of_assignment(path: Path, name: str) -> int:
    for number, line in enumerate(path.read_text(errors="replace").splitlines(), start=1):
        if line.lstrip().startswith(name):
            return number
    return 1


def error_of(error: BaseException, what: str, path: Path, root: Path) -> ContractError:
    """The user's innermost line is to blame, not the library's that it called."""
    if isinstance(error, ContractError):
        return error
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if is_project_file(Path(frame.filename), root)]
    place, line = (Path(own[-1].filename), own[-1].lineno or 1) if own else (path, 1)
    if isinstance(error, SystemExit):
        return ContractError(place, line, f"{what} ends the program with sys.exit({error.code!r})")
    said = " ".join(str(error).split())
    return ContractError(place, line, f"{what} raised {type(error).__name__}{': ' + said if said else ''}")


def is_project_file(path: Path, root: Path) -> bool:
    inside = path.is_absolute() and path.is_relative_to(root)
    return inside and "site-packages" not in path.parts and "dist-packages" not in path.parts


def name_of(provider: Any, otherwise: str) -> str:
    return str(getattr(provider, "__name__", f"skyline_{otherwise}"))


def is_tensor(value: Any) -> bool:
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(value, torch.Tensor)


def describe(value: Any) -> str:
    return "nothing" if value is None else f"a value of type {type(value).__name__}"
