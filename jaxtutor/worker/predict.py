"""Finds the answer to a prediction question by running its program."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from jaxtutor.core.data.facts import PredictFacts
from jaxtutor.core.data.requests import PredictRequest
from jaxtutor.worker import sources
from jaxtutor.worker.failures import failure
from jaxtutor.worker.stages import Send

FILE = "prediction.py"


def run(request: PredictRequest, send: Send) -> None:
    """Run the program of a question and report the answer."""
    names: dict[str, Any] = {"__name__": "__main__", "jax": jax, "jnp": jnp, "np": np}
    sources.keep(FILE, request.code)
    try:
        answer, detail = _find(request, names)
    except BaseException as error:  # the program is the lesson's, and may be broken
        described = failure.describe(error, lambda name: name == FILE)
        send(PredictFacts("", failure=described))
    else:
        send(PredictFacts(answer, detail))


def _find(request: PredictRequest, names: dict[str, Any]) -> tuple[str, str]:
    program = compile(request.code, FILE, "exec", dont_inherit=True)
    if request.asks == "count":
        return str(_count_runs(request.of, lambda: exec(program, names))), ""
    exec(program, names)
    if request.asks == "traces":
        return _try(request.of, names)
    value = jnp.asarray(eval(request.of, names))
    return str(value.shape if request.asks == "shape" else value.dtype), str(jax.typeof(value))


def _try(expression: str, names: dict[str, Any]) -> tuple[str, str]:
    """Return yes, or no and the name of the class that evaluating the expression raises."""
    try:
        value = eval(expression, names)
        jax.block_until_ready(value)
    except Exception as error:
        return "no", type(error).__name__
    return "yes", ""


def _count_runs(name: str, work: Callable[[], object]) -> int:
    """Count the Python calls of the question's function `name` while `work` runs."""
    runs = 0

    def look(frame: FrameType, event: str, _: object) -> None:
        nonlocal runs
        code = frame.f_code
        runs += event == "call" and code.co_name == name and code.co_filename == FILE

    sys.setprofile(look)
    try:
        work()
    finally:
        sys.setprofile(None)
    return runs
