"""Source files in the trace: the project's, whole, once, and nothing else."""

import hashlib
import json
import subprocess
import sys
from pathlib import Path


def sources(lines: list[str]) -> dict[str, tuple[str, str]]:
    """Path -> (hash, text), of the lines of trace_dump --python."""
    rows = [line.split("\t") for line in lines if line.startswith("source\t")]
    found = {json.loads(path): (digest, json.loads(text)) for _, path, digest, text in rows}
    assert len(found) == len(rows), "a file is embedded twice"
    return found


def test_the_projects_files_are_embedded_once_with_their_hash(script, dump, tmp_path: Path) -> None:
    (tmp_path / "helper.py").write_text("import torch\n\ndef make():  # größer\n    return torch.ones(1).erf()\n")
    (tmp_path / "large.py").write_text("import torch\nmake = lambda: torch.ones(1)\n" + "#" * (1 << 20))
    script(
        """
    import helper, large, os
    made = {}
    exec(compile("def make(): return torch.ones(1)", "not_there.py", "exec"), {"torch": torch}, made)
    os.mkdir("elsewhere")
    with skyline.profile("out.skyline", with_stack=True):
        os.chdir("elsewhere")
        nn.Linear(1, 1)(helper.make()); large.make(); made["make"]()
    os.chdir("..")
    with skyline.profile("without.skyline", with_stack=True, sources=False):
        helper.make()
    """
    )
    found = sources(dump(tmp_path / "out.skyline", "--python"))
    names = ("helper.py", "large.py", "program.py")
    assert sorted(found) == sorted(str(tmp_path / name) for name in names)
    for name in ("helper.py", "program.py"):
        text = (tmp_path / name).read_bytes()
        assert found[str(tmp_path / name)] == (f"sha256:{hashlib.sha256(text).hexdigest()}", text.decode())
    assert found[str(tmp_path / "large.py")] == ("", "")
    assert sources(dump(tmp_path / "without.skyline", "--python")) == {}


def test_skyline_run_embeds_the_script(environment, dump, tmp_path: Path) -> None:
    text = "import torch\ntorch.ones(3).erf()\n"
    (tmp_path / "train.py").write_text(text)
    command = [sys.executable, "-m", "skyline", "run", "-o", "out.skyline", "--no-report", "train.py"]
    subprocess.run(command, cwd=tmp_path, env=environment, check=True, timeout=240)
    (found,) = sources(dump(tmp_path / "out.skyline", "--python")).items()
    assert found[0].endswith("train.py") and found[1][1] == text
