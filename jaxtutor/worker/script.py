"""Runs a learner's own script as `python FILE ARGUMENTS` would, and records observations."""

from __future__ import annotations

import os
import site
import sys
import sysconfig
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import jax
import numpy as np

from jaxtutor.core.data.model import (
    Event,
    ObservationFacts,
    ScriptFacts,
    ScriptRequest,
    Started,
    Tree,
)
from jaxtutor.worker import failure, process_limits, sources, values
from jaxtutor.worker.instrument import Instrumentation

MOST_NAMES = 200

Send = Callable[[Event], None]


def run(request: ScriptRequest, send: Send) -> int:
    """Run the script and report how it ended. Return the exit status that Python would."""
    is_own = ownership(request.file)
    module = _make_main(request)
    jax.config.update("jax_disable_jit", not request.jit)
    send(Started("script"))
    described, status = None, 0
    with Instrumentation(is_own) as watch:
        try:
            process_limits.hear_interrupts()
            code = compile(request.source, request.file, "exec", dont_inherit=True)
            exec(code, module.__dict__)
        except SystemExit as leaving:
            status = _exit_status(leaving)
        except BaseException as error:  # the learner's program may raise anything
            described, status = failure.describe(error, is_own), 1
        seen = () if described else watch.observations()
    for observation in seen:
        send(ObservationFacts(observation))
    files = tuple(sorted(_files(is_own, request.file)))
    send(ScriptFacts(status, files, tuple(_names(module)), described))
    return status


def _make_main(request: ScriptRequest) -> ModuleType:
    """Set up `__main__`, `sys.argv` and `sys.path` as Python does for a script."""
    module = ModuleType("__main__")
    module.__file__ = request.file
    module.__builtins__ = __builtins__  # type: ignore[attr-defined]
    sys.modules["__main__"] = module
    sys.argv[:] = [request.file, *request.arguments]
    sys.path.insert(0, str(Path(request.file).parent))
    sources.keep(request.file, request.source)
    return module


def ownership(file: str) -> Callable[[str], bool]:
    """Return a predicate for the learner's files.

    These are the script and the files in its folder and below, except installed libraries. This
    package counts as a library: an editable checkout may lie below the script's folder.
    """
    folder = os.path.realpath(Path(file).parent) + os.sep
    paths = [sysconfig.get_path(name) for name in ("stdlib", "purelib", "platlib")]
    libraries = tuple(
        os.path.realpath(path) + os.sep
        for path in (*paths, site.getusersitepackages(), str(Path(__file__).parent.parent))
    )

    def is_own(name: str) -> bool:
        if name == file:
            return True
        real = os.path.realpath(name)
        return real.startswith(folder) and not real.startswith(libraries)

    return is_own


def _files(is_own: Callable[[str], bool], file: str) -> Iterator[str]:
    yield file
    for module in list(sys.modules.values()):
        name = getattr(module, "__file__", None)
        if isinstance(name, str) and name.endswith(".py") and is_own(name):
            yield name


def _exit_status(leaving: SystemExit) -> int:
    if leaving.code is None:
        return 0
    if isinstance(leaving.code, int):
        return leaving.code
    sys.stderr.write(f"{leaving.code}\n")
    return 1


def _names(module: ModuleType) -> Iterator[tuple[str, Tree]]:
    """Yield the script's variables that hold arrays, numbers, or pytrees of them."""
    for name, value in list(vars(module).items())[:MOST_NAMES]:
        if not name.startswith("_") and _is_data(value):
            yield name, values.to_tree(value)


def _is_data(value: Any) -> bool:
    if isinstance(value, ModuleType | type) or callable(value):
        return False
    try:
        leaves = jax.tree.leaves(value)
    except Exception:  # one of the learner's classes may not flatten
        return False
    kinds = (jax.Array, np.ndarray, np.generic, bool, int, float, complex)
    return bool(leaves) and all(isinstance(leaf, kinds) for leaf in leaves[: values.CAP_LEAVES])
