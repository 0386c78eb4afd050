"""Tests where a fix changes a program, beside the place that its diagnosis shows."""

from __future__ import annotations

from jaxtutor.core.data.diagnoses import Diagnosis, Fix
from jaxtutor.core.data.lines import unified
from jaxtutor.core.data.positions import Span
from jaxtutor.core.reporting.changes import ChangedLine, change_elsewhere
from jaxtutor.core.reporting.outputs.diagnosed import ChangeOutput
from jaxtutor.core.reporting.reports import diagnosis_report

SOURCE = """import jax


@jax.jit
def f(x, n):
    y = x + 1
    return jnp.zeros(n)
"""


def fixed_at(line: int, after: str, file: str = "a.py") -> Diagnosis:
    """Return a diagnosis at a line, with a fix that makes the source another."""
    fix = Fix(unified(SOURCE, after, (file, file)), True)
    span = Span(line, 4, line, 10)
    return Diagnosis("TypeError", "", "traced-shape-arg", "a.py", span, "", "", "", fix=fix)


def test_a_fix_that_changes_another_line_names_it() -> None:
    """The decorator is named, and not the import that the fix adds above it."""
    after = SOURCE.replace("import jax\n", "import jax\nfrom functools import partial\n")
    after = after.replace("@jax.jit", '@partial(jax.jit, static_argnames="n")')
    assert change_elsewhere(fixed_at(7, after)) == ChangedLine("a.py", 4, "@jax.jit")


def test_a_fix_at_the_place_itself_names_nothing() -> None:
    """Where one of the changed lines is shown already, no other place is named."""
    after = SOURCE.replace("zeros(n)", "zeros(3)").replace("x + 1", "x + 2")
    assert change_elsewhere(fixed_at(7, after)) is None
    assert change_elsewhere(fixed_at(6, after)) is None
    assert change_elsewhere(Diagnosis("TypeError", "", None, "a.py", None, "", "", "")) is None


def test_the_line_above_an_insertion_is_named() -> None:
    """Lines that are only added have no line of their own, so the one above them is named."""
    after = SOURCE.replace("def f(x, n):\n", "def f(x, n):\n    n = 3\n    m = n\n")
    assert change_elsewhere(fixed_at(7, after)) == ChangedLine("a.py", 5, "def f(x, n):")


def test_the_same_line_of_another_file_is_elsewhere() -> None:
    """Lines are compared within one file only."""
    after = SOURCE.replace("zeros(n)", "zeros(3)")
    assert change_elsewhere(fixed_at(7, after, "b.py")) == ChangedLine(
        "b.py", 7, "return jnp.zeros(n)"
    )


def test_a_report_has_the_line_that_the_fix_changes() -> None:
    """`change_at` is the place of the fix, and null where that is the place of the diagnosis."""
    after = SOURCE.replace("@jax.jit", "@jax.grad")
    report = diagnosis_report(fixed_at(7, after))
    assert report.change_at == ChangeOutput(file="a.py", line=4, text="@jax.jit")
    assert diagnosis_report(fixed_at(4, after)).change_at is None
