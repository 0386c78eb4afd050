"""Defines the options that a worker process is started with, encoded as one argument."""

from __future__ import annotations

import ast
from dataclasses import asdict, dataclass, replace

JOINED_VARIABLE = "JAXTUTOR_JOINED"
"""Set for a worker that has joined its control group; otherwise it limits its tasks by itself."""

RUN_VARIABLE = "JAXTUTOR_RUN"
"""Set in a worker's environment, and so in that of every process it starts."""

FORK_DESCRIPTORS = 5
"""How many descriptors come with a `ForkRequest`."""

LARGEST_FORK_REQUEST = 1 << 16
"""Bytes of a `ForkRequest`; it has the import statements of a lesson, and a few names."""

# Standard library only: `spawn` imports this before anything else of the package.


@dataclass(frozen=True)
class WorkerOptions:
    """What a worker needs to know before it reads its first request.

    `memory` and `file_size` are in MiB, `cpu_seconds` in seconds; 0 means no limit. `tasks` is the
    number of processes and threads that the run may have where no control group limits it; 0
    means no limit. `captured` is False for a program that shares the tutor's terminal. `confined`
    makes the worker drop its remaining privileges and refuse dangerous system calls before it
    reads a request; `uid` is the user that it becomes then, None to stay the one that it is.
    `imports` are the statements that import a lesson's libraries.
    """

    request_fd: int
    result_fd: int
    memory: int = 0
    file_size: int = 0
    cpu_seconds: int = 0
    tasks: int = 0
    captured: bool = True
    confined: bool = False
    uid: int | None = None
    device: str | None = None
    imports: tuple[str, ...] = ()

    def encode(self) -> str:
        """Return the options as one command-line argument."""
        return repr(asdict(self))

    @classmethod
    def decode(cls, text: str) -> WorkerOptions:
        """Return the options of an argument. Raises ValueError, SyntaxError or TypeError."""
        return cls(**ast.literal_eval(text))

    def with_pipes(self, request_fd: int, result_fd: int) -> WorkerOptions:
        """Return the same options with other descriptors."""
        return replace(self, request_fd=request_fd, result_fd=result_fd)


@dataclass(frozen=True)
class ForkRequest:
    """What a template needs to know to fork a worker.

    `options` are encoded; their descriptors are not valid there. `groups` are the folders of the
    control groups that the worker joins.
    """

    run: str
    options: str
    groups: tuple[str, ...]

    def encode(self) -> str:
        """Return the request as one message."""
        return repr(asdict(self))

    @classmethod
    def decode(cls, text: str) -> ForkRequest:
        """Read a message. Raises ValueError, SyntaxError or TypeError."""
        return cls(**ast.literal_eval(text))
