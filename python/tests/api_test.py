"""The package's shape: what can be called, and with which arguments."""

import inspect
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

import skyline
from skyline._profile import wants_devices

TORCHS_ARGUMENTS = """activities schedule on_trace_ready record_shapes profile_memory with_stack with_flops
with_modules experimental_config execution_trace_observer acc_events use_cuda custom_trace_id_callback
post_processing_timeout_s""".split()


def test_profile_takes_torchs_arguments_by_name() -> None:
    parameters = inspect.signature(skyline.profile).parameters
    assert [name for name in TORCHS_ARGUMENTS if name not in parameters] == []
    assert all(parameters[name].kind is inspect.Parameter.KEYWORD_ONLY for name in TORCHS_ARGUMENTS)


def test_profile_has_torchs_methods() -> None:
    names = "start stop step key_averages export_chrome_trace add_metadata add_metadata_json".split()
    assert [name for name in names if not callable(getattr(skyline.profile, name, None))] == []


def test_importing_does_not_import_torch() -> None:
    code = "import sys, skyline; sys.exit('torch' in sys.modules)"
    folder = Path(skyline.__file__).parent.parent
    subprocess.run([sys.executable, "-c", code], cwd=folder, check=True, timeout=240)


def test_unknown_names_are_unknown() -> None:
    with pytest.raises(AttributeError, match="sorcery"):
        _ = skyline.sorcery


def test_asking_before_the_end_is_one_sentence() -> None:
    with pytest.raises(skyline.Error, match="stop the profile first"):
        skyline.profile().key_averages()


def test_devices_are_wanted_unless_only_the_cpu_is_named() -> None:
    cpu, cuda = SimpleNamespace(name="CPU"), SimpleNamespace(name="CUDA")
    assert [wants_devices(some) for some in (None, [cpu], [cpu, cuda])] == [True, False, True]


def test_later_cycles_have_their_number_in_the_path(tmp_path) -> None:
    profile = skyline.profile(tmp_path / "run.skyline")
    profile._cycle = 1
    assert profile._next_path(".skyline") == tmp_path / "run.skyline"
    profile._cycle = 2
    assert profile._next_path(".skyline") == tmp_path / "run.2.skyline"
    assert profile._next_path(".pt.trace.json") == tmp_path / "run.2.pt.trace.json"


def test_a_trace_handler_names_worker_and_time(tmp_path) -> None:
    path = skyline.trace_handler(tmp_path, "worker3").new_path(".skyline")
    assert path.parent == tmp_path
    assert path.name.startswith("worker3.") and path.name.endswith(".skyline")
    assert len(path.name.split(".")[1]) == 19


def test_the_version_is_the_programs() -> None:
    cmake = Path(__file__).resolve().parents[2] / "CMakeLists.txt"
    assert f"project(skyline VERSION {skyline.__version__} " in cmake.read_text()
