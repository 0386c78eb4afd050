"""Draws what is shown below an editor: a verdict in few lines, the most important first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from jaxtutor.core.data.lines import diff_lines
from jaxtutor.core.data.model import CheckResult, Diagnosis, Fix, Jaxpr, Step, Verdict
from jaxtutor.core.diagnosis.fallback_summaries import suggestion
from jaxtutor.core.judging import jaxprs
from jaxtutor.display.render import Renderer
from jaxtutor.display.theme import Marks, visible

WIDE = 100
"""Columns from which two jaxprs are drawn side by side."""


def draw_verdict(renderer: Renderer, verdict: Verdict, source: str) -> Iterator[RenderableType]:
    """Draw a verdict that is not a pass: position, cause, origin, advice, printed output."""
    if verdict.status == "lesson_at_fault":
        yield Text("This is the lesson's fault, not yours:", style="title")
        yield Text(visible(verdict.headline))
        return
    failed = next((check for check in verdict.checks if check.status == "failed"), None)
    if verdict.diagnosis is not None:
        yield from _diagnosis(renderer, verdict.diagnosis, source)
    elif failed is not None:
        yield from renderer.failed_check(verdict, failed)
    else:
        yield Text(visible(verdict.headline))
    for finding in verdict.findings:
        yield from _diagnosis(renderer, finding, source)
    if verdict.works_without_jit:
        yield Text("Without jit this call works. It fails only while it is being compiled.")
    yield from _count_checks(verdict.checks, renderer.marks)
    yield from _prints(verdict)


def draw_pass(renderer: Renderer, verdict: Verdict, new: str, after: str) -> Iterator[Text]:
    """Draw a pass: what was new, how it compares with the solution, and the next step."""
    yield Text.assemble(
        (f"{renderer.marks.passed} All {len(verdict.checks)} checks hold.", "passed"),
        f" {after}",
    )
    if new:
        yield renderer.prose(f"New: {new}")
    if verdict.jaxpr is not None and verdict.reference_jaxpr is not None:
        mine, ours = jaxprs.count(verdict.jaxpr), jaxprs.count(verdict.reference_jaxpr)
        yield Text(f"Your jaxpr has {mine} equations, the solution's {ours}.", style="quiet")


def _diagnosis(renderer: Renderer, diagnosis: Diagnosis, source: str) -> Iterator[RenderableType]:
    if diagnosis.span is not None:
        yield from renderer.excerpt(source, diagnosis.span, around=0)
    yield renderer.prose(visible(diagnosis.summary))
    if diagnosis.raised_at is not None:
        yield Text(f"It was raised at line {diagnosis.raised_at.span.line}.")
    if len(diagnosis.origin) > 1:
        yield _origin(diagnosis.origin, renderer.marks)
    if diagnosis.advice:
        yield renderer.prose("What to do: " + visible(diagnosis.advice))
    said = suggestion(diagnosis.message) if diagnosis.cause else ""
    if said:
        yield Text(f"{diagnosis.error_class} says: {visible(said)}", style="quiet")
    if diagnosis.cause:
        yield Text.assemble(("More: jaxtutor explain ", "quiet"), (diagnosis.cause, "code"))


def _origin(steps: Sequence[Step], marks: Marks) -> Text:
    """Draw the origin of a value in one line: the argument, and the steps from it."""
    line = Text("From: ", style="quiet", overflow="fold")
    for index, step in enumerate(steps):
        line.append(f" {marks.here} " if index else "", style="quiet")
        line.append(visible(step.expression), style="code")
        line.append(f" {step.aval}", style="default")
        if step.span:
            line.append(f" line {step.span.line}", style="quiet")
    return line


def _count_checks(checks: Sequence[CheckResult], marks: Marks) -> Iterator[Text]:
    passed = sum(check.status == "passed" for check in checks)
    if len(checks) > 1:
        yield Text(f"{passed} of {len(checks)} checks hold.", style="quiet")
    for check in checks:
        if check.status != "skipped":
            style = "passed" if check.status == "passed" else "failed"
            mark = marks.passed if check.status == "passed" else marks.failed
            yield Text.assemble((mark, style), " " + check.says)


def _prints(verdict: Verdict) -> Iterator[Text]:
    if verdict.stdout.strip():
        yield Text("It printed:", style="title")
        yield Text(visible(verdict.stdout).rstrip("\n"), overflow="fold")


def draw_fix(renderer: Renderer, fix: Fix, after: Verdict) -> Iterator[Text]:
    """Draw a fix that was tried: its result, and its changed lines with little context."""
    if fix.verified:
        yield Text("Verified fix: your file passes with it.", style="passed")
    else:
        result = f"Partial fix: more checks pass. What remains: {visible(after.headline)}"
        yield Text(result, style="mark")
    yield from renderer.diff_text("".join(_changes(diff_lines(fix.diff))))


def _changes(diff: Sequence[str]) -> Iterator[str]:
    """Yield the changed lines of a diff, each with one line of context."""
    body = [line for line in diff[2:] if not line.startswith("@@")]
    changed = [line[:1] in ("+", "-") for line in body]
    for index, line in enumerate(body):
        if any(changed[max(index - 1, 0) : index + 2]):
            yield line


def draw_jaxprs(renderer: Renderer, mine: Jaxpr, ours: Jaxpr) -> Iterator[RenderableType]:
    """Draw the learner's jaxpr and the solution's, side by side if there is space."""
    if renderer.console.width < WIDE:
        yield from renderer.jaxpr_diff(mine, ours)
        return
    theirs, yours = jaxprs.lines_alike(ours, mine)
    left = {line.text.strip() for line in yours}
    right = {line.text.strip() for line in theirs}
    table = Table.grid(padding=(0, 3), expand=True)
    table.add_column("yours", ratio=1, overflow="fold")
    table.add_column("solution", ratio=1, overflow="fold")
    table.add_row(Text("yours", style="title"), Text("solution", style="title"))
    for index in range(max(len(yours), len(theirs))):
        table.add_row(
            _line([line.text for line in yours], index, right, "removed"),
            _line([line.text for line in theirs], index, left, "added"),
        )
    yield table


def _line(lines: Sequence[str], index: int, others: set[str], style: str) -> Text:
    text = lines[index] if index < len(lines) else ""
    return Text(visible(text), style="" if text.strip() in others else style)
