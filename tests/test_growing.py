"""Tests how the file of a project grows from step to step."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jaxtutor.core.learning.growing import changed, definitions, grow

TEXT = '''"""My model."""

import jax.numpy as jnp
from jax import lax


def embed(table, ids):
    # mine
    return table[ids]
'''

ADDITION = '''"""Step 2."""

import jax
import jax.numpy as jnp
from jax import lax, random

WIDTH = 8
DEPTH = 2


# Given: nothing to do here.
def scale(x):
    return x / WIDTH


def attend(q, k, v):
    """Return the mean."""
    # TODO: mix.
    return v
'''

GROWN = '''"""My model."""

import jax.numpy as jnp
from jax import lax
import jax
from jax import random


def embed(table, ids):
    # mine
    return table[ids]


WIDTH = 8
DEPTH = 2


# Given: nothing to do here.
def scale(x):
    return x / WIDTH


def attend(q, k, v):
    """Return the mean."""
    # TODO: mix.
    return v
'''


def test_a_text_gets_the_imports_and_definitions_that_it_lacks() -> None:
    """Missing imports go to the imports, the rest to the end, with comments and blank lines."""
    assert grow(TEXT, ADDITION) == GROWN


def test_growing_twice_adds_nothing() -> None:
    """An addition that is in the text leaves it as it is, byte for byte."""
    assert grow(GROWN, ADDITION) == GROWN


def test_what_differs_is_code() -> None:
    """A comment, a docstring, the layout and an import do not change a definition."""
    before = "import jax\n\nN = 1\n\n\ndef f(x):\n    return 2 * x\n\n\ndef g(x):\n    return x\n"
    after = 'import os\nN=2\ndef f(x):\n    """Double x."""\n    return (2 * x)  # twice\n'

    assert {"N"} == changed(before, after)


def test_an_empty_text_becomes_the_addition() -> None:
    """The first step's file is the starter itself."""
    assert grow("", ADDITION) == ADDITION
    assert grow(" \n", ADDITION) == ADDITION


def test_what_the_learner_wrote_is_not_replaced() -> None:
    """A definition of the learner's own stays, also as an assignment or an import."""
    for own in ("attend = print", "from elsewhere import attend", "def attend():\n    pass"):
        grown = grow(f"{TEXT}\n{own}\n", ADDITION)
        assert own in grown
        assert "TODO" not in grown
        assert {"scale", "WIDTH"} <= definitions(grown)


def test_a_program_stays_last() -> None:
    """Definitions come before the block that runs the file as a program."""
    main = '# Run it.\nif __name__ == "__main__":\n    print(attend(1, 2, 3))\n'
    grown = grow(f"{TEXT}\n\n{main}", ADDITION)

    assert grown.endswith(f"    return v\n\n\n{main}")
    assert grow(grown, ADDITION + main) == grown
    assert grow(TEXT, ADDITION + "\n\n" + main).endswith(main)


def test_a_text_that_is_not_python_is_left_alone() -> None:
    """A syntax error is the learner's to mend; the text grows once it is Python."""
    assert grow("def f(:\n", ADDITION) == "def f(:\n"
    assert grow(TEXT, "def f(:\n") == TEXT
    assert definitions("def f(:\n") == frozenset()


def test_future_imports_stay_first() -> None:
    """An import from `__future__` is placed above every other statement."""
    addition = "from __future__ import annotations\n\nx = 1\n"
    assert ast.parse(grow(TEXT, addition))
    assert grow(TEXT, addition).startswith('"""My model."""\nfrom __future__')
    assert grow("y = 2\n", addition) == "from __future__ import annotations\n\ny = 2\n\n\nx = 1\n"


def test_line_endings_stay() -> None:
    """A file with the line endings of Windows keeps them."""
    grown = grow(TEXT.replace("\n", "\r\n"), ADDITION)
    assert grown == GROWN.replace("\n", "\r\n")


def test_a_text_without_a_last_line_end_grows() -> None:
    """A last line without a line ending is not joined to the addition."""
    assert grow(TEXT.rstrip(), ADDITION) == GROWN


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("a = b = 1\nc, (d, e) = 1, (2, 3)\n", "abcde"),
        ("try:\n    import f\nexcept ImportError:\n    f = g = None\n", "fg"),
        ("if True:\n    h = 1\nelse:\n    i = 1\nfor _ in []:\n    j: int = 2\n", "hij"),
        ("import k.l\nclass m: n = 1\n", "km"),
    ],
)
def test_names_at_the_top_level_are_definitions(text: str, names: str) -> None:
    """Assignments, imports, classes and the branches of a statement bind names."""
    assert definitions(text) == set(names)


STATEMENTS = st.sampled_from(
    [
        '"""Doc."""',
        "import os",
        "import jax.numpy as jnp",
        "from jax import lax, jit",
        "from __future__ import annotations",
        "A = 1",
        "B, C = 1, 2",
        "# a comment",
        "def f():\n    return 1",
        "@staticmethod\ndef g():\n    return 2",
        "class H:\n    x = 1",
        "print(1)",
        "if __name__ == '__main__':\n    f()",
        "",
        "x = 1; y = 2",
        's = """\n# not a comment\n"""',
    ]
)


@given(st.lists(STATEMENTS), st.lists(STATEMENTS))
def test_growing_keeps_a_text_whole(first: list[str], second: list[str]) -> None:
    """Whatever is added: every line of the text stays, all is defined, and once is enough."""
    text, addition = "\n".join(first), "\n".join(second)
    try:
        ast.parse(text), ast.parse(addition)
        compile(text, "", "exec"), compile(addition, "", "exec")
    except SyntaxError:
        return
    grown = grow(text, addition)

    compile(grown, "", "exec")
    assert definitions(grown) == definitions(text) | definitions(addition)
    assert grow(grown, addition) == grown
    rest = iter(grown.splitlines())
    assert all(line in rest for line in text.splitlines() if line.strip())


def test_deep_nesting_is_not_compared() -> None:
    """Code that Python can parse and not walk has no names that changed."""
    assert changed(f"x = y{'.a' * 1500}\n", f"x = z{'.a' * 1500}\n") == frozenset()
