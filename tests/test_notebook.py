"""Tests the notebook extension, which diagnoses a cell below its traceback."""

from __future__ import annotations

import subprocess
import sys

SHELL = '''
import linecache, sys
import jaxtutor


class Shell:
    """What the extension asks of IPython."""

    def set_custom_exc(self, classes, handler):
        self.handler = handler

    def showtraceback(self, raised, tb_offset=None):
        print("shown:", raised[0].__name__)

    def run(self, source):
        file = "<ipython-input-1-abc>"
        linecache.cache[file] = (len(source), None, source.splitlines(True), file)
        try:
            exec(compile(source, file, "exec"), {})
        except Exception as error:
            self.handler(self, type(error), error, error.__traceback__)


shell = Shell()
jaxtutor.load_ipython_extension(shell)
shell.run(sys.argv[1])
'''


def run_cell(source: str) -> str:
    """Run one cell in a shell with the extension and return the output."""
    command = [sys.executable, "-c", SHELL, source]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return done.stdout


def test_a_failing_cell_gets_its_cause() -> None:
    """The usual traceback comes first, then the cause and the expression."""
    printed = run_cell(
        "import jax\n"
        "import jax.numpy as jnp\n"
        "keep = jax.jit(lambda x: x[x > 0])\n"
        "keep(jnp.arange(3.0))\n"
    )
    assert printed.startswith("shown: NonConcreteBooleanIndexError")
    assert "Cause: boolean-mask-index" in printed
    assert "keep = jax.jit(lambda x: x[x > 0])" in printed


def test_an_error_of_no_known_cause_is_only_shown() -> None:
    """An error without a known cause has its traceback only."""
    assert "shown: ZeroDivisionError\n" == run_cell("1 / 0")
