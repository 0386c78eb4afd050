"""Tests the format of a cause's page, and filling in the facts of a failure."""

from __future__ import annotations

import pytest

from jaxtutor.core.diagnosis.engine.pages import PageError, fill, read_cause

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
    """The header, summary and examples of a page are read."""
    cause = read_cause("slug", PAGE)
    assert "`{expression}` is wrong, because {argument} is traced." == cause.summary
    assert (("ValueError",), ("other",)) == (cause.raises, cause.see)
    assert [("failing", 2)] == [(e.kind, e.error_line) for e in cause.examples]


FORM = """docs = "https://docs.jax.dev/"
needs = ["flax"]

[forms.library]
summary = "`{name}` needs it."
advice = "Set it."
"""


def test_a_form_has_its_own_sentences() -> None:
    """A cause is explained by the sentences of its form, and by those of the page without one."""
    cause = read_cause("slug", PAGE.replace('docs = "https://docs.jax.dev/"\n', FORM))
    assert (("flax",), "Set it.") == (cause.needs, cause.form("library").advice)
    assert (cause.summary, cause.advice) == (cause.form("").summary, cause.form("other").advice)


@pytest.mark.parametrize(
    "broken",
    [
        FORM.join(PAGE.split('docs = "https://docs.jax.dev/"\n')).replace("Set it.", ""),
        "no header",
        PAGE.replace("title", "tilte"),
        PAGE.replace('"A title"', "A title"),
    ],
)
def test_a_page_without_its_parts_is_refused(broken: str) -> None:
    """A page without a header, or without a required key, raises an error."""
    with pytest.raises(PageError):
        read_cause("slug", broken)


def test_known_facts_are_filled_in() -> None:
    """A fact replaces its braces and keeps the backticks of the page."""
    assert "`x < 0` asks `x`." == fill(
        "`{expression}` asks `{argument}`.", {"expression": "x < 0", "argument": "x"}
    )


def test_an_unknown_fact_becomes_words() -> None:
    """An unknown fact becomes plain words without backticks."""
    assert "This function traces a traced value." == fill("`{function}` traces `{aval}`.", {})


def test_an_unknown_fact_in_code_is_an_ellipsis() -> None:
    """An unknown fact inside longer code becomes an ellipsis."""
    assert "Write `jnp.where(…, a, b)`." == fill("Write `jnp.where({condition}, a, b)`.", {})


def test_code_of_several_lines_becomes_one() -> None:
    """Code of several lines is written on one line in a sentence."""
    assert "`f(x)` fails." == fill("`{expression}` fails.", {"expression": "f(\n    x)"})


def test_other_braces_are_left_alone() -> None:
    """Braces that do not contain a fact are unchanged."""
    assert "Use `{0: jnp.sin}`." == fill("Use `{0: jnp.sin}`.", {"expression": "x"})


def test_code_is_not_filled_again() -> None:
    """Braces in a learner's code stay as they are: also in an f-string."""
    facts = {"expression": 'sample(f"{name}_w")', "name": "w"}
    assert '`sample(f"{name}_w")` takes `w`.' == fill("`{expression}` takes `{name}`.", facts)


def test_one_thing_is_written_in_the_singular() -> None:
    """A sentence is written for several things; a fact may say that there is one."""
    text = "it has {detail} rows, {argument} axes and `x 1 rows`"
    assert "It has one row, 11 axes and `x 1 rows`" == fill(text, {"detail": "1", "argument": "11"})
    assert "It has 0.1 rows, one axis and `x 1 rows`" == fill(
        text, {"detail": "0.1", "argument": "1"}
    )
