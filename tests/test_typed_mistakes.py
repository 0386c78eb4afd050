"""Tests the first screen of mistakes that users of NumPy and PyTorch type, and of each starter."""

from __future__ import annotations

import os
import re

import pytest

from jaxtutor.core.data.verdicts import Verdict
from typed_mistakes import (
    MISTAKES,
    Mistake,
    digest,
    edit,
    first_verdict,
    import_used,
    lessons,
    records,
    run,
    screen,
    starters,
    typed_mistakes,
)

MISSES = MISTAKES / "misses.txt"
"""The mistakes whose first screen does not yet name what it has to."""

_STOCK = re.compile(r"^(?:Here |The documentation of |The keys of )")


def texts(verdict: Verdict) -> str:
    """Return the sentences and the marked expressions of a first screen, in one line."""
    shown = [it for it in (verdict.diagnosis, *verdict.findings) if it is not None]
    parts = [text for it in shown for text in (it.summary, it.expression, it.advice)]
    if verdict.diagnosis is None:
        failed = [check for check in verdict.checks if check.status == "failed"][:1]
        parts += [text for check in failed for text in (check.title, check.detail)]
    return one_line(" ".join([*parts, verdict.hint, verdict.relation]))


def one_line(text: str) -> str:
    """Return a text without marks of code, in one line."""
    return " ".join(text.replace("`", "").lower().split())


def is_named(mistake: Mistake) -> bool:
    """Return whether a first screen names one of the expressions and one of the actions."""
    text = texts(first_verdict(records()[mistake.name], mistake))
    each = (mistake.expressions, mistake.actions)
    return all(any(one_line(one) in text for one in some) for some in each)


def test_the_first_screen_of_a_mistake_names_an_expression_and_an_action() -> None:
    """A first screen names what was typed and what to do, except for those listed as misses.

    A mistake with a good screen leaves the list: `JAXTUTOR_REWRITE=1` writes it again.
    """
    wrong = [it.name for it in typed_mistakes() if not is_named(it)]
    if os.environ.get("JAXTUTOR_REWRITE"):
        MISSES.write_text("".join(f"{name}\n" for name in wrong))
    assert MISSES.read_text().split() == wrong


def test_most_first_screens_teach() -> None:
    """At least 17 of 20 mistakes get a first screen that names an expression and an action."""
    assert 20 * len(MISSES.read_text().split()) <= 3 * len(typed_mistakes())


def test_an_unchanged_starter_has_something_to_do() -> None:
    """The first screen of each starter names an expression of its file, and an action."""
    wrong = {}
    for starter in starters():
        verdict = first_verdict(records()[starter.name], starter)
        if not (has_action(verdict) and has_expression(verdict, starter.source)):
            wrong[starter.lesson] = texts(verdict)
    assert {} == wrong


def has_action(verdict: Verdict) -> bool:
    """Return whether a screen says more than what the values were."""
    shown = [it for it in (verdict.diagnosis, *verdict.findings) if it is not None]
    advice = [it.advice for it in shown] + [verdict.hint]
    return any(text and not _STOCK.match(text) for text in advice)


def has_expression(verdict: Verdict, source: str) -> bool:
    """Return whether a screen names code that the file has."""
    shown = [it for it in (verdict.diagnosis, *verdict.findings) if it is not None]
    sentences = " ".join([*(f"{it.summary} {it.advice}" for it in shown), verdict.hint])
    return any(code in source for code in re.findall(r"`([^`]+)`", sentences))


@pytest.mark.parametrize("name", ["sgd-step", "flat-vector"])
def test_the_screen_of_a_starter_names_the_tree(name: str) -> None:
    """The screen names the expression that is a whole tree, and the function that helps."""
    starter = next(it for it in starters() if it.lesson == name)
    shown = " ".join(
        screen(first_verdict(records()[starter.name], starter), starter.source).split()
    )
    expected = {
        "sgd-step": ("`grads[name]` is a dict", "jax.tree.map(lambda p, g: p - lr * g, params"),
        "flat-vector": ("`jax.grad(loss)(vector)` calls a function that takes a dict", "unravel("),
    }
    assert all(text in shown for text in expected[name]), shown


def test_an_entry_that_is_assigned_gets_an_update_to_write() -> None:
    """Where an entry of a list is assigned, the line to write does not assign to an array's."""
    mistake = next(it for it in typed_mistakes() if it.name == "immutable-update-11")
    verdict = first_verdict(records()[mistake.name], mistake)

    assert verdict.diagnosis is not None
    assert verdict.diagnosis.advice.startswith("Write `x = jnp.stack(x).at[i].set(v)`.")


def test_every_mistake_has_a_record_of_its_present_text() -> None:
    """Every file was recorded as it is now, and the file of no mistake passes."""
    every = [*starters(), *typed_mistakes()]
    stale = [it.name for it in every if getattr(records().get(it.name), "digest", "") != digest(it)]
    passing = [name for name, record in records().items() if record.verdict.status == "passed"]
    assert ([], []) == (stale, passing)
    assert {it.name for it in every} == {*records()}


@pytest.mark.slow
def test_the_records_are_what_the_files_do() -> None:
    """A recorded mistake ends as it did, with the same exception and message."""
    every = [it for it in (*starters(), *typed_mistakes()) if not lessons()[it.lesson].missing]
    wrong = [made.name for made in run(every) if ending(made.verdict) != ending_of(made.name)]
    assert [] == wrong


def ending_of(name: str) -> tuple[str, ...]:
    """Return how a recorded mistake ended."""
    return ending(records()[name].verdict)


def ending(verdict: Verdict) -> tuple[str, ...]:
    """Return how a run ended: its status, the failed check, the exception."""
    failed = next((check.name for check in verdict.checks if check.status == "failed"), "")
    raised = verdict.failure.error_class if verdict.failure is not None else ""
    return verdict.status, failed, raised


# ---------------------------------------------------------------- the paragraphs


def test_an_edit_replaces_lines_and_parts_of_lines() -> None:
    """Added lines get the indent of the first removed one, and a part is replaced once."""
    source = "def f(x):\n    y = 2 * x\n    return y\n"

    assert edit(source, ["- y = 2 * x", "+ y = x", "+ y += x"]) == (
        "def f(x):\n    y = x\n    y += x\n    return y\n"
    )
    assert edit(source, ["~ 2 * => 3 *"]) == source.replace("2 *", "3 *")


def test_a_module_that_an_edit_uses_is_imported() -> None:
    """What is used and not imported is imported below the docstring; other names stay undefined."""
    source = '"""F."""\n\nimport jax\n\n\ndef f(x):\n    return np.sum(jax.nn.relu(x), torch.e)\n'

    assert import_used(source) == source.replace('"""\n', '"""\n\nimport numpy as np', 1)
