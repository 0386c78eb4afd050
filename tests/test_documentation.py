"""Tests what is quoted of a library's docstrings, and the advice where no cause is known."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from jaxtutor.core.data.failures import Failure
from jaxtutor.core.diagnosis.engine.diagnose import diagnose
from jaxtutor.worker.failures.documentation import parameters_in, result_in
from program_pool import Failing

GOOGLE = """Apply a window.

Args:
  size (int): the length of the window. It has to divide
    the number of rows.
  step: how far it moves.

Returns:
  result: the windows.
"""
EQUINOX = """**Arguments:**

- `size`: the length of the window. It has to divide
    the number of rows.
- `step`: how far it moves.

**Returns:**

The windows.
"""
SPHINX = """Apply a window.

:param int size: the length of the window. It has to divide
    the number of rows.
:param step: how far it moves.
:return: the windows.
"""
NUMPY = """Apply a window.

Parameters
----------
size : int
    the length of the window. It has to divide
    the number of rows.
step
    how far it moves.

Returns
-------
result
    the windows.
"""


@pytest.mark.parametrize("text", [GOOGLE, EQUINOX, SPHINX, NUMPY])
def test_the_result_of_a_docstring_is_read(text: str) -> None:
    """Each style of docstrings says what is returned."""
    assert "the windows." in result_in(text).lower()


def test_a_docstring_without_a_result_has_none() -> None:
    """Nothing is made up where the docstring is silent."""
    assert "" == result_in("Apply a window.\n\nArgs:\n  size: the length.\n")


@pytest.mark.parametrize("text", [GOOGLE, EQUINOX, SPHINX, NUMPY])
def test_the_parameters_of_a_docstring_are_read(text: str) -> None:
    """Each style of docstrings gives the same text for each parameter, and no result."""
    size = "the length of the window. It has to divide the number of rows."
    assert {"size": size, "step": "how far it moves."} == parameters_in(text)


def test_a_docstring_without_parameters_says_nothing_of_them() -> None:
    """Prose and an example with a colon are not parameters."""
    assert {} == parameters_in("Apply a window.\n\nExample:\n  size: 3\n\nNote: be careful.")


LIBRARY = '''
import sys
import types

source = """
def window(rows, size):
    \\"\\"\\"Cut rows into windows.

    Args:
      rows: an array of shape (n, k).
      size: the length of a window, which has to divide n.
    \\"\\"\\"
    raise ValueError(message)
"""
library = types.ModuleType("windows")
exec(compile(source, "/usr/lib/windows.py", "exec"), library.__dict__)
library.message = {message!r}
'''


@pytest.fixture(scope="module")
def failing() -> Iterator[Failing]:
    """Return what runs the programs of all tests."""
    with closing(Failing()) as made:
        yield made


def advice(failing: Failing, source: str, folder: Path) -> str:
    """Return the advice for a program that no cause fits."""
    failure = failing.failure_of(source, folder)
    found = diagnose(failure, {str(folder / "program.py"): source}, {})
    assert found is not None
    return found.diagnosis.advice


@pytest.mark.parametrize(
    ("message", "quoted", "left"),
    [("bad size", "size", "rows"), ("does not fit", "rows", "nothing")],
)
def test_the_parameter_that_a_message_names_is_quoted(
    message: str, quoted: str, left: str, failing: Failing, tmp_path: Path
) -> None:
    """The documentation is quoted of the parameters in the message, else of those given."""
    source = LIBRARY.replace("{message!r}", repr(message))
    source += "import jax.numpy as jnp\nrows = jnp.ones((7, 2))\nlibrary.window(rows, 3)\n"
    said = advice(failing, source, tmp_path)
    assert "is `float32[7,2]`" in said
    assert f"says of `{quoted}`" in said
    assert f"says of `{left}`" not in said


def failed(failing: Failing, source: str, folder: Path) -> Failure:
    """Return the failure of a program that may call the function `window` of a library."""
    return failing.failure_of(LIBRARY.replace("{message!r}", "''") + source, folder)


def test_items_that_have_what_their_container_lacks_are_found(
    failing: Failing, tmp_path: Path
) -> None:
    """An attribute or key that an item at any depth has is found there."""
    state = failed(failing, "state = (1.5, ('a', 2.5))\nstate.hex\n", tmp_path)
    assert ("[0]", "[1][1]") == state.holders
    tree = failed(failing, "tree = {'params': {'a': {'w': 1}}, 'w': 2}\ntree['a']\n", tmp_path)
    assert ('["params"]',) == tree.holders


def test_values_that_a_call_computes_are_known(failing: Failing, tmp_path: Path) -> None:
    """An argument that is not a name is described as the library's frame holds it."""
    source = "import jax.numpy as jnp\nlibrary.window(jnp.ones((7, 2)).T, size=3)\n"
    found = failed(failing, source, tmp_path)
    assert [("jnp.ones((7, 2)).T", "float32[2,7]")] == [(f.name, f.detail) for f in found.passed]
    whole = LIBRARY.replace("{message!r}", "''") + source
    assert "`jnp.ones((7, 2)).T` is `float32[2,7]`" in advice(failing, whole, tmp_path)


CHECKED = """
import types
import numpy

source = "def fold(rows, size):\\n    assert rows.ndim == size\\n"
file = "{folder}/folding.py"
open(file, "w").write(source)
library = types.ModuleType("folding")
exec(compile(source, file, "exec"), library.__dict__)
table = numpy.ones((2, 3))
library.fold(table, 3)
"""


def test_the_condition_that_a_library_asserts_is_quoted(failing: Failing, tmp_path: Path) -> None:
    """An assertion without a message is explained by its condition and its values."""
    library = tmp_path / "usr" / "lib"
    library.mkdir(parents=True)
    said = advice(failing, CHECKED.replace("{folder}", str(library)), tmp_path)
    assert "`folding.fold` requires `rows.ndim == size`" in said
    assert "`size` is `3`" in said


def test_where_a_value_comes_from_is_quoted(failing: Failing, tmp_path: Path) -> None:
    """A name in the expression that failed is followed by what was assigned to it."""
    source = LIBRARY.replace("{message!r}", "'does not fit'")
    source += "import jax.numpy as jnp\nrows = jnp.ones((7, 2))\nlibrary.window(rows, 3)\n"
    assert "`jnp.ones((7, 2))`) is `float32[7,2]`" in advice(failing, source, tmp_path)


BELIEF = """
from typing import NamedTuple
import jax
import jax.numpy as jnp

class Belief(NamedTuple):
    mean: jax.Array
    cov: jax.Array

def predict(belief, F):
    return Belief(F @ belief.mean, F @ belief.cov @ F.T)

def run(F, zs):
    def step(now, z):
        after = predict(now, F)
        return after, after.mean

    start = {start}
    return jax.lax.scan(step, start, zs)

run(jnp.eye(2), jnp.ones(5))
"""


@pytest.mark.parametrize(
    ("start", "quoted"),
    [
        ("Belief(jnp.ones(2), 10.0)", "`belief.cov` (line 18: `10.0`) is"),
        ("Belief(cov=10.0, mean=jnp.ones(2))", "`belief.cov` (line 18: `10.0`) is"),
        ("Belief(*(jnp.ones(2), 10.0))", "`belief.cov` is"),  # which argument it is is not known
        ("Belief(10.0, jnp.eye(2))", "`belief.mean` (line 18: `10.0`) is"),
    ],
)
def test_a_value_is_followed_through_calls_carries_and_fields(
    start: str, quoted: str, failing: Failing, tmp_path: Path
) -> None:
    """A parameter's field is followed to the constructor with which a scan starts."""
    assert quoted in advice(failing, BELIEF.replace("{start}", start), tmp_path)


@pytest.mark.parametrize(
    ("source", "quoted"),
    [
        ("rows = jnp.ones(5)\nrows = rows[:3]\nf(rows)\n", "`x` (line 5: `rows`) is"),
        ("for rows in (jnp.ones(3),):\n    f(rows)\n", "`x` (line 4: `rows`) is"),
        ("rows = jnp.ones(3)\nf(x=2 * rows)\n", "`x` (line 4: `2 * rows`) is"),
        ("jax.vmap(f)(jnp.ones((4, 3)))\n", "`x` is"),  # it got a row of it
    ],
)
def test_a_value_is_followed_as_far_as_it_is_known(
    source: str, quoted: str, failing: Failing, tmp_path: Path
) -> None:
    """A name with several assignments, and what a transformation passes, is not followed."""
    start = "import jax, jax.numpy as jnp\ndef f(x): return x @ jnp.ones((2, 2))\n"
    assert quoted in advice(failing, start + source, tmp_path)


def test_the_keys_of_a_dict_are_listed(failing: Failing, tmp_path: Path) -> None:
    """A missing key is answered with those that the dict has, also in a nested dict."""
    source = "variables = {'params': {'Dense_0': 1}}\nvariables['params']['dense']\n"
    assert "The keys of `variables['params']` are `'Dense_0'`." in advice(failing, source, tmp_path)


SIGNED = CHECKED.replace("def fold(rows, size)", "def fold(key, size: int, *rest)").replace(
    "rows.ndim == size", "size > 0"
)


@pytest.mark.parametrize(
    ("call", "quoted"),
    [
        ("library.fold(3, table)", "takes `size: int`, and gets `table` there, which is `float64"),
        ("library.fold(3, size='2')", "takes `size: int`, and gets `'2'` there, which is a text"),
    ],
)
def test_an_argument_that_the_signature_does_not_allow_is_named(
    call: str, quoted: str, failing: Failing, tmp_path: Path
) -> None:
    """An array where a library's signature declares a whole number is named in the advice."""
    library = tmp_path / "usr" / "lib"
    library.mkdir(parents=True)
    source = SIGNED.replace("{folder}", str(library)).replace("library.fold(table, 3)", call)
    assert quoted in advice(failing, source, tmp_path)


def test_a_fitting_argument_is_not_named(failing: Failing, tmp_path: Path) -> None:
    """A call that fails for another reason gets no advice on its signature."""
    library = tmp_path / "usr" / "lib"
    library.mkdir(parents=True)
    source = SIGNED.replace("{folder}", str(library)).replace("(table, 3)", "(table, -3)")
    assert "takes `size: int`" not in advice(failing, source, tmp_path)


def test_the_version_of_a_library_that_lacks_a_name_is_said(
    failing: Failing, tmp_path: Path
) -> None:
    """Of a name that a library lacks, the advice says which version is installed."""
    said = advice(failing, "import msgspec\nmsgspec.Structure_of_old()\n", tmp_path)
    assert "`msgspec` " in said
    assert "is installed, and does not have this name" in said


@pytest.mark.parametrize(
    ("source", "said"),
    [
        (
            "import jax\ncalls = 0\n@jax.jit\ndef step(x):\n    calls += 1\n    return x\n"
            "step(1.0)\n",
            ("the `calls` of line 2 is another variable", "`jax.jit` runs it only while tracing"),
        ),
        (
            "def step(n):\n    for i in range(n):\n        last = i\n    return last\nstep(0)\n",
            ("`step` assigns `last` in another branch or loop",),
        ),
    ],
)
def test_a_name_that_a_function_assigns_is_explained(
    source: str, said: tuple[str, ...], failing: Failing, tmp_path: Path
) -> None:
    """A local name without a value is distinguished from the outer variable, and from a branch."""
    text = advice(failing, source, tmp_path)
    assert [words for words in said if words not in text] == []
    assert "is a Python" not in text
