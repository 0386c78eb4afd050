"""Records what the processes of jaxtutor do and when, for `./dev bench profile`.

Python imports this module first if its folder is on PYTHONPATH, in the session and in its workers.
`BENCH_TIMES` names the file to write: a line for each call of the functions in `HOOKS`, for each
import of `LIBRARIES`, and for each event that jax reports. The code of jaxtutor itself is not
changed for this.
"""

from __future__ import annotations

import functools
import json
import os
import sys
import threading
import time
from collections.abc import Callable, Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

HOOKS = {
    "jaxtutor.processes.spawn": {"start": "start a process"},
    "jaxtutor.processes.runner": {"Runner.run": "a worker's work", "reap": "end the worker"},
    "jaxtutor.checks.lesson_check": {
        "Checker.check": "check",
        "Checker.reference": "the solution's answers",
        "explain": "diagnose, find",
        "judge": "judge",
        "find_syntax_error": "syntax",
    },
    "jaxtutor.checks.attempts": {"record": "record", "find_seed": "look for a review"},
    "jaxtutor.commands.verdicts": {"show_verdict": "render", "locate": "find lesson and file"},
    "jaxtutor.worker.devices": {"describe_machine": "start the backend"},
    "jaxtutor.worker.warmup": {"up": "use jax once"},
    "jaxtutor.worker.process_limits": {"read_body": "wait for the request", "write_all": "report"},
    "jaxtutor.worker.lesson": {"load": "run checks.py, make cases"},
    "jaxtutor.worker.submission": {"load": "import the submission"},
    "jaxtutor.worker.subject": {
        "TestedFunction.jaxpr": "make_jaxpr",
        "TestedFunction.call": "call",
        "TestedFunction.pull_back": "differentiate",
    },
    "jaxtutor.worker.precompile": {
        "Precompiler.begin": "trace, lower",
        "PendingProgram.__call__": "call",
    },
    "jaxtutor.worker.jaxprs": {"convert": "describe the jaxpr"},
    "jaxtutor.worker.values": {"to_tree": "describe values", "describe_call": "describe inputs"},
    "jaxtutor.worker.leaks": {"live_leaks": "look for leaks"},
    "jaxtutor.worker.checks": {"measure": "property", "look_closer": "look closer"},
    "jaxtutor.worker.stages": {
        "Check.run": "all stages",
        "Check._find_function": "find the function",
        "Check._estimate_cost": "estimate the cost",
    },
}
LIBRARIES = ("jax", "numpy", "msgspec", "typer", "rich", "psutil", "sqlite3")
REPORTS = {
    "/jax/core/compile/jaxpr_trace_duration": "jax: trace",
    "/jax/core/compile/jaxpr_to_mlir_module_duration": "jax: lower",
    "/jax/core/compile/backend_compile_duration": "jax: compile",
}


class Notes:
    """The file of records, one a line, written at once because a worker ends without notice."""

    def __init__(self, path: str) -> None:
        self._file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)

    def write(self, label: str, start: float, end: float) -> None:
        """Record an activity from start to end, by the clock that all processes share."""
        note = [os.getpid(), threading.get_ident(), label, start, end]
        os.write(self._file, json.dumps(note).encode() + b"\n")

    def wrap(self, function: Callable[..., Any], label: str) -> Callable[..., Any]:
        """Return a function that records each of its calls."""

        @functools.wraps(function)
        def noted(*args: Any, **kwargs: Any) -> Any:
            start = time.monotonic()
            try:
                return function(*args, **kwargs)
            finally:
                self.write(_name(label, args), start, time.monotonic())

        return noted

    def hook(self, module: ModuleType) -> None:
        """Wrap the hooked functions of a module that was just imported."""
        for path, label in HOOKS.get(module.__name__, {}).items():
            owner: Any = module
            *outer, name = path.split(".")
            for part in outer:
                owner = getattr(owner, part, None)
            if hasattr(owner, name):  # tests/test_bench.py reports a function that does not exist
                setattr(owner, name, self.wrap(getattr(owner, name), label))
        if module.__name__ == "jax":
            module.monitoring.register_event_duration_secs_listener(self._take_report)

    def _take_report(self, event: str, seconds: float, **details: Any) -> None:
        if event in REPORTS:
            now = time.monotonic()
            name = details.get("fun_name", "")
            self.write(f"{REPORTS[event]} {name}".rstrip(), now - seconds, now)


def _name(label: str, arguments: Sequence[Any]) -> str:
    """Return the name of the measured property, or nothing for other functions."""
    if label != "property" or not arguments:
        return label
    wanted = getattr(arguments[0], "wanted", arguments[0])
    return f"{label} {getattr(wanted, 'name', '')}".rstrip()


class Finder:
    """Precedes Python's own finders, and lets them find the hooked modules."""

    def __init__(self, notes: Notes) -> None:
        self._notes = notes
        self._busy: set[str] = set()

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Find a module as Python does, with its execution wrapped. Return None for all others."""
        if name in self._busy or (name not in HOOKS and name not in LIBRARIES):
            return None
        self._busy.add(name)
        for finder in sys.meta_path:
            spec = None if finder is self else finder.find_spec(name, path, target)
            if spec is not None and spec.loader is not None:
                self._wrap(spec.loader, name)
                return spec
        return None

    def _wrap(self, loader: Any, name: str) -> None:
        execute = loader.exec_module

        def run(module: ModuleType) -> None:
            start = time.monotonic()
            execute(module)
            if name in LIBRARIES:
                self._notes.write(f"import {name}", start, time.monotonic())
            self._notes.hook(module)

        loader.exec_module = run


if "BENCH_TIMES" in os.environ:
    _notes = Notes(os.environ["BENCH_TIMES"])
    sys.meta_path.insert(0, Finder(_notes))
    _notes.write("python has started", time.monotonic(), time.monotonic())
