"""Owns the tests of a cause's page: its form, and the filling of its facts."""

from __future__ import annotations

import pytest

from jaxtutor.core.diagnosis.pages import PageError, fill, read_cause

PAGE = """\
+++
title = "A title"
raises = ["ValueError", "none"]
advice = "Use `jnp.where({condition}, a, b)`."
see = ["other"]
docs = "https://docs.jax.dev/"
+++

`{expression}` is wrong, because {argument}
is traced.

## Why

```python failing
x = {1: 2}
x[3]  # error
```
"""


def test_a_page_is_read() -> None:
    """Header, summary and examples of a page come out as they are."""
    cause = read_cause("slug", PAGE)
    assert "`{expression}` is wrong, because {argument} is traced." == cause.summary
    assert (("ValueError",), ("other",)) == (cause.raises, cause.see)
    assert [("failing", 2)] == [(e.kind, e.error_line) for e in cause.examples]


@pytest.mark.parametrize(
    "broken",
    ["no header", PAGE.replace("title", "tilte"), PAGE.replace('"A title"', "A title")],
)
def test_a_page_without_its_parts_is_refused(broken: str) -> None:
    """A page that lacks its header or a key of it is an error of its own kind."""
    with pytest.raises(PageError):
        read_cause("slug", broken)


def test_known_facts_are_filled_in() -> None:
    """A fact takes the place of its braces, and keeps the page's backticks."""
    assert "`x < 0` asks `x`." == fill(
        "`{expression}` asks `{argument}`.", {"expression": "x < 0", "argument": "x"}
    )


def test_an_unknown_fact_becomes_words() -> None:
    """A fact that is not known becomes plain words, without backticks."""
    assert "This function traces a traced value." == fill("`{function}` traces `{aval}`.", {})


def test_an_unknown_fact_in_code_is_an_ellipsis() -> None:
    """Inside longer code an unknown fact leaves a gap."""
    assert "Write `jnp.where(…, a, b)`." == fill("Write `jnp.where({condition}, a, b)`.", {})


def test_code_of_several_lines_becomes_one() -> None:
    """A sentence stays one line."""
    assert "`f(x)` fails." == fill("`{expression}` fails.", {"expression": "f(\n    x)"})


def test_other_braces_are_left_alone() -> None:
    """Only facts are filled in."""
    assert "Use `{0: jnp.sin}`." == fill("Use `{0: jnp.sin}`.", {"expression": "x"})
