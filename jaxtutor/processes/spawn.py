"""Starts worker processes, with so few imports that one can start before anything else."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace

from jaxtutor.core.data.worker_options import RUN_VARIABLE, WorkerOptions
from jaxtutor.processes import control_groups, guardian
from jaxtutor.processes.control_groups import ControlGroup
from jaxtutor.processes.tags import tag, tag_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jaxtutor.processes.adopted_worker import AdoptedWorker

LESSON_TASKS, TASKS_PER_CPU = 256, 16
"""Processes and threads of a submission: XLA starts a few threads for each CPU."""

PROGRAM_TASKS = 1024
"""The same for a learner's own program or prompt, which may well start workers."""

CPU_SECONDS = 600
"""CPU time for each process and CPU of a submission, far beyond any time limit: it ends a process
that has survived its tutor."""

PIPE_SIZE = 1 << 20
"""Bytes that a result's pipe holds: the most that Linux grants any user."""

FIRST_UID, UIDS, NOBODY = 2_000_000_000, 100_000_000, 65534
"""Users that nobody is assigned, beyond those of systemd and of containers; and nobody itself."""

WORKER, REPL, PROGRAM = "jaxtutor.worker", "jaxtutor.worker.repl", "jaxtutor.worker.launch"

PROMPT_SHARE = 0.8
"""Share of the machine's memory that the cells of a prompt may use."""

BEHIND = 10
"""Niceness of a worker that nobody waits for."""

PASSED_ON = ("PYTHON", "JAX_", "XLA_", "CUDA_", "LD_LIBRARY_PATH", "LANG", "LC_", "TZ")
"""How the names of the variables begin that a confined worker receives."""


@dataclass(frozen=True)
class Kind:
    """How a worker is started; a spare serves only requests of its own kind.

    `memory` is a limit in MiB, 0 for none. `shares_terminal` is for a learner's own program, which
    reads from and prints to the tutor's terminal. `behind` is for work that nobody waits for.
    `wrap` is a program and its arguments, which confines the command that follows. `program` is the
    module that is run: PROGRAM runs a learner's own program in an interpreter that is set up as
    Python sets it up. It and the prompt take JAX's options from the environment. `is_trial` is for
    a run whose output is compared with that of another run, and `is_forked` lets it start from a
    process that has imported jax. `imports` are statements that import libraries: a worker runs
    them before it takes a request, so that their time is not the submission's.
    """

    device: str | None = None
    cpus: int = 1
    memory: int = 4096
    shares_terminal: bool = False
    behind: bool = False
    wrap: tuple[str, ...] = ()
    program: str = WORKER
    is_trial: bool = False
    is_forked: bool = False
    imports: tuple[str, ...] = ()


def for_program(device: str | None, shares_terminal: bool) -> Kind:
    """Return the kind of worker that runs a learner's own program, without a memory limit."""
    return Kind(device, 1, 0, shares_terminal=shares_terminal, program=PROGRAM)


def for_trial(device: str | None, is_forked: bool) -> Kind:
    """Return the kind of worker that runs an edited version of a learner's own program."""
    return replace(for_program(device, shares_terminal=False), is_trial=True, is_forked=is_forked)


def for_prompt(device: str | None, cpus: int = 1) -> Kind:
    """Return the kind of worker that the prompt needs: it may use most of the memory."""
    try:
        total = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (ValueError, OSError):
        total = 0
    memory = int(total * PROMPT_SHARE) >> 20
    return Kind(with_devices(device, cpus), cpus, memory, program=REPL)


def with_devices(device: str | None, cpus: int) -> str | None:
    """Return the device of a worker that needs so many: several are always devices of the CPU."""
    return "cpu" if cpus > 1 else device


@dataclass
class Process:
    """A worker process and this side of its pipes.

    `is_tagged` is whether the system let the run's tag be put into a resource limit; see
    `tags`. `group` limits the run's tasks and memory, None where it cannot. `guardian` ends
    a program that shares the terminal if the tutor is killed.
    """

    kind: Kind
    popen: subprocess.Popen[bytes] | AdoptedWorker
    token: bytes
    request: int
    result: int
    run: str
    is_tagged: bool
    group: ControlGroup | None = None
    guardian: subprocess.Popen[bytes] | None = None
    born: float = field(default_factory=time.time)

    @property
    def tag(self) -> int:
        """The run's id as a number."""
        return tag_of(self.run)

    @property
    def prints(self) -> tuple[int, ...]:
        """The descriptors of its standard output and error, if they are captured."""
        streams = (self.popen.stdout, self.popen.stderr)
        return tuple(stream.fileno() for stream in streams if stream is not None)


def start(kind: Kind) -> Process:
    """Start a worker in a session of its own; it gets ready in the background."""
    token = os.urandom(16)
    run = os.urandom(8).hex()
    request_read, request_write = os.pipe()
    result_read, result_write = os.pipe()
    widen(result_write)
    options = options_for(kind, request_read, result_write, tag_of(run))
    group = control_groups.create(run, options.tasks, kind.memory)
    if group is None and kind.wrap:
        group = _create_scope(run, options.tasks, kind.memory)
    program = [sys.executable, *run_module(kind.program), options.encode()]
    stream = None if kind.shares_terminal else subprocess.PIPE
    try:
        with confined_command(kind.wrap, program) as (command, arguments):
            popen = subprocess.Popen(
                [*(group.prefix if group else ()), *command],
                stdin=None if kind.shares_terminal else subprocess.DEVNULL,
                stdout=stream,
                stderr=stream,
                pass_fds=(request_read, result_write, *arguments),
                env=environment(kind, run),
                start_new_session=not kind.shares_terminal,
            )
    except OSError:
        os.close(request_write)
        os.close(result_read)
        if group:
            group.remove()
        raise
    finally:
        os.close(request_read)
        os.close(result_write)
    if kind.behind:
        with suppress(OSError):  # it has ended already, which its pipes will show
            os.setpriority(os.PRIO_PROCESS, popen.pid, BEHIND)
    is_tagged = tag(popen.pid, tag_of(run))
    watch = guardian.start(run, is_tagged, group) if kind.shares_terminal else None
    os.write(request_write, token)
    return Process(kind, popen, token, request_write, result_read, run, is_tagged, group, watch)


@contextmanager
def confined_command(
    wrap: Sequence[str], program: Sequence[str]
) -> Iterator[tuple[list[str], tuple[int, ...]]]:
    """Yield the command that runs a program, confined if `wrap` says so, and descriptors to pass.

    bubblewrap reads its arguments from a descriptor: a submission can read the command line of the
    process above it, and the arguments name folders of the person who grades.
    """
    if not wrap:
        yield [*program], ()
        return
    arguments = os.memfd_create("arguments")
    try:
        os.write(arguments, "\0".join(wrap[1:]).encode(errors="surrogateescape"))
        os.lseek(arguments, 0, os.SEEK_SET)
        yield [wrap[0], "--args", str(arguments), "--", *program], (arguments,)
    finally:
        os.close(arguments)


def _create_scope(run: str, tasks: int, memory: int) -> ControlGroup | None:
    from jaxtutor.processes import scopes  # its imports take time that other starts need not wait

    return scopes.create(run, tasks, memory)


def run_module(program: str) -> tuple[str, ...]:
    """Return the arguments that make Python run a module of the worker."""
    if program != PROGRAM:
        return ("-P", "-m", program)
    folder = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))  # noqa: PTH100, PTH120
    return (os.path.join(folder, "worker", "launch.py"),)  # noqa: PTH118 - no more imports here


def widen(result: int) -> None:
    """Let a pipe hold as much as the system allows: a result may be as large as an array is."""
    with suppress(ImportError, AttributeError, OSError):
        import fcntl

        fcntl.fcntl(result, fcntl.F_SETPIPE_SZ, PIPE_SIZE)


def options_for(kind: Kind, request: int, result: int, tag: int) -> WorkerOptions:
    """Return the options of a new worker."""
    is_program = kind.program != WORKER
    cpus = os.cpu_count() or 1
    tasks = (PROGRAM_TASKS if is_program else LESSON_TASKS) + TASKS_PER_CPU * cpus
    return WorkerOptions(
        request,
        result,
        kind.memory,
        file_size=0 if is_program else kind.memory,
        cpu_seconds=0 if is_program else CPU_SECONDS * cpus,
        tasks=tasks,
        captured=not kind.shares_terminal,
        confined=bool(kind.wrap),
        uid=_unprivileged_uid(tag) if kind.wrap and os.geteuid() == 0 else None,
        device=kind.device,
        imports=kind.imports,
    )


def _unprivileged_uid(tag: int) -> int:
    """Return a user id for one run that has no files; that of nobody if few ids are mapped."""
    with suppress(OSError), open("/proc/self/uid_map", encoding="ascii") as lines:  # noqa: PTH123
        if any(int(line.split()[2]) > FIRST_UID + UIDS for line in lines):
            return FIRST_UID + tag % UIDS
    return NOBODY


def environment(kind: Kind, run: str) -> dict[str, str]:
    """Return the variables of a new worker."""
    environment = _confined(os.environ) if kind.wrap else dict(os.environ)
    environment[RUN_VARIABLE] = run
    if kind.program != PROGRAM:
        environment.setdefault("TF_CPP_MIN_LOG_LEVEL", "1")
    if kind.program != PROGRAM or kind.is_trial:  # several share a GPU, whose memory jax reserves
        environment.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
    if kind.device and kind.device.partition(":")[0] == "cpu":
        environment["JAX_PLATFORMS"] = "cpu"
    if kind.cpus > 1:
        environment["JAX_NUM_CPU_DEVICES"] = str(kind.cpus)
    if kind.program == PROGRAM:
        if kind.is_trial:
            environment["PYTHONHASHSEED"] = "0"  # two runs write a set in one order
        return environment
    environment["PYTHONUNBUFFERED"] = "1"
    if kind.program == REPL:
        return environment
    environment["PYTHONHASHSEED"] = "0"  # a set is written in one order, here and by the solution
    for name in ("JAX_ENABLE_X64", "JAX_DEBUG_NANS", "JAX_DISABLE_JIT", "JAX_CHECK_TRACER_LEAKS"):
        environment.pop(name, None)  # a lesson's answers hold for jax's defaults
    return environment


def _confined(environ: Mapping[str, str]) -> dict[str, str]:
    """Leave out the variables that a confined process does not need: they may hold secrets."""
    kept = {name: text for name, text in environ.items() if name.startswith(PASSED_ON)}
    return {**kept, "HOME": "/", "PATH": environ.get("PATH", os.defpath)}
