"""Owns the starting of worker processes, with so few imports that one can start before all else."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jaxtutor.processes.standby import AdoptedWorker

RUN_VARIABLE = "JAXTUTOR_RUN"
"""Set in a worker's environment, and so in that of every process it starts."""

LOCKS_LIMIT = 10
"""Linux's limit on file locks, which has long meant nothing. Every process inherits it, one that
clears its environment too, and it can be read from outside: so it holds the run's number."""

PIPE_SIZE = 1 << 20
"""Bytes that a result's pipe holds: what any user may ask of Linux."""

WORKER, REPL = "jaxtutor.worker", "jaxtutor.worker.repl"

PROMPT_SHARE = 0.8
"""Of the machine's memory, what the cells of a prompt may take."""

BEHIND = 10
"""How much a worker gives way to others, in the system's measure of niceness."""

PASSED_ON = ("PYTHON", "JAX_", "XLA_", "CUDA_", "LD_LIBRARY_PATH", "LANG", "LC_", "TZ")
"""How the names begin that a confined worker is given."""


@dataclass(frozen=True)
class Kind:
    """What a worker is started with; a spare serves only requests of its own kind.

    `memory` is a cap in MiB, 0 for none. `shares_terminal` is for a learner's own program, which
    reads and prints where we do. `behind` is for what nobody waits for.
    `wrap` stands before the command and confines it. `program` is the module that is run; that of
    the prompt takes JAX's options from the environment, as a program of the learner's would.
    """

    device: str | None = None
    cpus: int = 1
    memory: int = 4096
    shares_terminal: bool = False
    behind: bool = False
    wrap: tuple[str, ...] = ()
    program: str = WORKER


def for_prompt(device: str | None, cpus: int = 1) -> Kind:
    """Return the kind of worker that the prompt needs: it may have most of the memory there is."""
    try:
        total = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (ValueError, OSError):
        total = 0
    return Kind(device, cpus, int(total * PROMPT_SHARE) >> 20, program=REPL)


@dataclass
class Process:
    """A worker process and this side of its pipes."""

    kind: Kind
    popen: subprocess.Popen[bytes] | AdoptedWorker
    token: bytes
    request: int
    result: int
    run: str
    is_numbered: bool

    @property
    def number(self) -> int:
        """The run as a number, which its limit holds where the system let it be set."""
        return number_of(self.run)

    @property
    def prints(self) -> tuple[int, ...]:
        """The descriptors of its standard output and error, where they come to us."""
        streams = (self.popen.stdout, self.popen.stderr)
        return tuple(stream.fileno() for stream in streams if stream is not None)


def start(kind: Kind) -> Process:
    """Start a worker in a session of its own; it gets ready while we go on."""
    token = os.urandom(16)
    run = os.urandom(8).hex()
    request_read, request_write = os.pipe()
    result_read, result_write = os.pipe()
    with suppress(ImportError, AttributeError, OSError):  # it may be as large as an array is
        import fcntl

        fcntl.fcntl(result_write, fcntl.F_SETPIPE_SZ, PIPE_SIZE)
    command = [*kind.wrap, sys.executable, "-P", "-m", kind.program]
    command += [str(request_read), str(result_write), str(kind.memory)]
    command += ["shared" if kind.shares_terminal else "captured"]
    stream = None if kind.shares_terminal else subprocess.PIPE
    try:
        popen = subprocess.Popen(
            command + ([kind.device] if kind.device else []),
            stdin=None if kind.shares_terminal else subprocess.DEVNULL,
            stdout=stream,
            stderr=stream,
            pass_fds=(request_read, result_write),
            env=_environment(kind, run),
            start_new_session=not kind.shares_terminal,
        )
    except OSError:
        os.close(request_write)
        os.close(result_read)
        raise
    finally:
        os.close(request_read)
        os.close(result_write)
    if kind.behind:
        with suppress(OSError):  # it is gone already, which its pipes will say
            os.setpriority(os.PRIO_PROCESS, popen.pid, BEHIND)
    is_numbered = _number(popen.pid, number_of(run))
    os.write(request_write, token)
    return Process(kind, popen, token, request_write, result_read, run, is_numbered)


def number_of(run: str) -> int:
    """Return the number that stands for a run."""
    return int(run, 16) >> 1


def _number(pid: int, number: int) -> bool:
    """Have a process, and all that come from it, bear a number; False where that cannot be."""
    try:
        import resource

        resource.prlimit(pid, LOCKS_LIMIT, (number, number))
    except (ImportError, AttributeError, OSError, ValueError):
        return False
    return True


def _environment(kind: Kind, run: str) -> dict[str, str]:
    environment = _confined(os.environ) if kind.wrap else dict(os.environ)
    environment[RUN_VARIABLE] = run
    environment.setdefault("TF_CPP_MIN_LOG_LEVEL", "1")
    if kind.device and kind.device.partition(":")[0] == "cpu":
        environment["JAX_PLATFORMS"] = "cpu"
    if kind.cpus > 1:
        environment["JAX_NUM_CPU_DEVICES"] = str(kind.cpus)
    if kind.shares_terminal:
        return environment
    environment["PYTHONUNBUFFERED"] = "1"
    if kind.program == REPL:
        return environment
    environment["PYTHONHASHSEED"] = "0"  # a set is written in one order, here and by the solution
    for name in ("JAX_ENABLE_X64", "JAX_DEBUG_NANS", "JAX_DISABLE_JIT", "JAX_CHECK_TRACER_LEAKS"):
        environment.pop(name, None)  # a lesson's answers hold for jax's defaults
    return environment


def _confined(environ: Mapping[str, str]) -> dict[str, str]:
    """Leave out what a confined process has no business with: it may hold keys and tokens."""
    kept = {name: text for name, text in environ.items() if name.startswith(PASSED_ON)}
    return {**kept, "HOME": "/", "PATH": environ.get("PATH", os.defpath)}
