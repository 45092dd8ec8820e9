"""A Python that has imported torch and skyline and runs programs in copies of itself: importing takes longer than most
of the tests' programs do. In a copy a program is the __main__ of a process with its own folder, output and exit code,
as if Python had been started for it; but one frame of this file is below its first, and modules were there before.

    copies.py FD     FD: a SOCK_SEQPACKET socket; {"path": …} with standard output and error is answered by
                     {"pid": …} at the start, and at the end by {"code": …}, negative for a signal
"""

import builtins
import importlib
import json
import os
import socket
import subprocess
import sys
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import ModuleType

MESSAGE_BYTES = 1 << 16


class Copies:
    """For tests: starts that Python, and copies of it."""

    def __init__(self, environment: dict[str, str]) -> None:
        self.control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        command = [sys.executable, __file__, str(theirs.fileno())]
        self.process = subprocess.Popen(command, env=environment, pass_fds=[theirs.fileno()])
        theirs.close()

    def run(self, path: Path, patience_s: float) -> "subprocess.CompletedProcess[str]":
        """A program in the folder that it is in."""
        files = [path.with_suffix(f".{name}") for name in ("stdout", "stderr")]
        with files[0].open("wb") as output, files[1].open("wb") as errors:
            message = json.dumps({"path": str(path)}).encode()
            socket.send_fds(self.control, [message], [output.fileno(), errors.fileno()])
        self.control.settimeout(patience_s)
        pid = self.hear()["pid"]
        try:
            code = self.hear()["code"]
        except TimeoutError:
            os.kill(pid, 9)
            self.hear()
            raise subprocess.TimeoutExpired(str(path), patience_s) from None
        said = [file.read_text(errors="replace") for file in files]
        for file in files:
            file.unlink()
        return subprocess.CompletedProcess(str(path), code, *said)

    def hear(self) -> dict[str, int]:
        return json.loads(self.control.recv(MESSAGE_BYTES) or b"{}")

    def end(self) -> None:
        self.control.close()
        self.process.wait()


def wait_for_a_program(control: socket.socket) -> str:
    """Returns its path in a copy; ends with the socket."""
    while True:
        message, files, _, _ = socket.recv_fds(control, MESSAGE_BYTES, 2)
        if not message:
            os._exit(0)
        path = json.loads(message)["path"]
        pid = os.fork()
        if pid == 0:
            control.close()
            for number, file in enumerate(files, 1):
                os.dup2(file, number)
                os.close(file)
            return path
        for file in files:
            os.close(file)
        control.send(json.dumps({"pid": pid}).encode())
        _, status = os.waitpid(pid, 0)
        control.send(json.dumps({"code": os.waitstatus_to_exitcode(status)}).encode())


def made_main(path: str) -> ModuleType:
    main = ModuleType("__main__")
    main.__dict__["__builtins__"] = builtins
    main.__file__, main.__loader__ = path, SourceFileLoader("__main__", path)
    sys.modules["__main__"] = main
    sys.argv, sys.path[0] = [path], os.path.dirname(path)
    os.chdir(sys.path[0])
    return main


if __name__ == "__main__":
    for module in ("torch", "skyline"):
        importlib.import_module(module)
    PROGRAM = wait_for_a_program(socket.socket(fileno=int(sys.argv[1])))
    exec(compile(Path(PROGRAM).read_bytes(), PROGRAM, "exec", dont_inherit=True), made_main(PROGRAM).__dict__)
