"""Draws what is shown below an editor: a verdict in few lines, the most important first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from jaxtutor.core.data.diagnoses import Diagnosis, Fix
from jaxtutor.core.data.failures import Step
from jaxtutor.core.data.jaxprs import Jaxpr
from jaxtutor.core.data.lines import diff_lines
from jaxtutor.core.data.verdicts import CheckResult, Verdict
from jaxtutor.core.judging import jaxprs
from jaxtutor.core.judging.compare import begin_sentence
from jaxtutor.core.reporting.lead import Lead, cut, failed_check, lead_of_diagnosis
from jaxtutor.core.reporting.lines import line_text
from jaxtutor.display.render import Renderer, is_same_jaxpr
from jaxtutor.display.theme import Marks, visible
from jaxtutor.session.status import TITLE

SYNTAX = ("SyntaxError", "IndentationError", "TabError")
WIDE = 100
"""Columns from which two jaxprs are drawn side by side."""


def draw_verdict(
    renderer: Renderer,
    verdict: Verdict,
    source: str,
    after: str = "",
    explain: str = "",
    fix: str = "",
) -> Iterator[RenderableType]:
    """Draw a verdict that is not a pass: what is wrong, what to do, where, and then the rest.

    `after` is the next step where nothing else is known that could be done, `explain` says how to
    open the page of a cause, and `fix` what is known of a fix.
    """
    if verdict.status == "lesson_at_fault":
        yield Text("This is the lesson's fault, not yours:", style="title")
        yield Text(visible(verdict.headline))
        return
    named = [one for one in (verdict.diagnosis, *verdict.findings) if one is not None]
    failed = failed_check(verdict)
    if failed is not None and verdict.diagnosis is not None:
        failed = None  # the diagnosis says why
    after = "" if fix else after
    if named:
        yield from _diagnosis(renderer, named[0], source, after, verdict, fix)
        yield from _hint(renderer, verdict) if verdict.diagnosis is not None else ()
        yield from [Text(explain, style="quiet")] if explain and named[0].cause else []
        after = fix = ""
    if failed is not None:
        yield from _failed_check(renderer, verdict, failed, after, fix)
    elif not named:
        yield Text(visible(verdict.headline), style="title")
        yield from _fix(fix)
    for finding in named[1:]:
        yield from _diagnosis(renderer, finding, source)
    if verdict.works_without_jit:
        yield Text("Without jit this call works. It fails only while it is being compiled.")
    yield from _count_checks(verdict.checks, renderer.marks)
    yield from _prints(verdict)
    yield from renderer.beside(verdict)


def draw_pass(
    renderer: Renderer, verdict: Verdict, new: str, after: str
) -> Iterator[RenderableType]:
    """Draw a pass: what was new, how it compares with the solution, and the next step."""
    count = len(verdict.checks)
    passed = f"All {count} checks pass." if count > 1 else "The check passes."
    yield Text.assemble((f"{renderer.marks.passed} {passed}", "passed"), f" {after}")
    if new:
        yield renderer.prose(f"New: {new}")
    if comparison := renderer.comparison(verdict):
        yield Text(comparison, style="quiet")
    yield from renderer.beside(verdict)


def _first_rows(renderer: Renderer, lead: Lead, after: str) -> tuple[list[Text], list[Text]]:
    """Draw the first two rows, and separately what did not fit into them."""

    def measure(text: str) -> int:
        return renderer.prose(text).cell_len

    rows: list[Text] = []
    rest: list[Text] = []
    remedy = f"Try: {lead.remedy}" if lead.remedy else after
    again = "Try: " if lead.remedy else ""  # says which of the two rows is continued
    for text, style, begin in ((lead.problem, "title", ""), (remedy, "", again)):
        row, left = cut(visible(text), renderer.width, measure)
        rows += [_styled(renderer.prose(row), style)] if row else []
        rest[:0] = [renderer.prose(begin + left)] if left else []  # that of the remedy comes first
    rest += [renderer.prose(visible(text)) for text in lead.rest]
    return rows, rest


def _styled(text: Text, style: str) -> Text:
    text.style = style
    return text


def _diagnosis(
    renderer: Renderer,
    diagnosis: Diagnosis,
    source: str,
    after: str = "",
    verdict: Verdict | None = None,
    fix: str = "",
) -> Iterator[RenderableType]:
    is_syntax = diagnosis.error_class in SYNTAX  # a hint would be about something else
    rows, rest = _first_rows(renderer, lead_of_diagnosis(diagnosis), "" if is_syntax else after)
    yield from rows
    yield from _fix(fix)
    if diagnosis.span is not None:
        yield from renderer.excerpt(source, diagnosis.span, around=0)
    line = diagnosis.span.line if diagnosis.span else 0
    raised = diagnosis.raised_at
    if raised is not None and (raised.file, raised.span.line) != (diagnosis.file, line):
        where = line_text(raised.span, raised.file, diagnosis.file)
        yield Text(f"It was raised at {visible(where)}.")
    if len(diagnosis.origin) > 1:
        yield _origin(diagnosis.origin, diagnosis.file, renderer.marks)
    yield from rest
    if verdict is not None and verdict.failed_call:
        yield renderer.call(verdict.failed_call, verdict.failed_reason, "Called with")
    if diagnosis.cause:
        yield from list(renderer.message(diagnosis))[:-1]  # without the empty line at its end


def _failed_check(
    renderer: Renderer, verdict: Verdict, check: CheckResult, after: str, fix: str
) -> Iterator[RenderableType]:
    """Draw a check that failed: the mistake if it is known, the call, and both answers."""
    title, case = check.title or check.says, check.case
    if verdict.misconception:  # two or three rows, and no source between them
        yield renderer.prose(visible(verdict.misconception))
        yield Text(visible(title), style="title", overflow="fold")
        yield from [renderer.prose(visible(verdict.relation))] if verdict.relation else []
        yield from _fix(fix)
    else:
        problem = f"{title}. {verdict.relation}" if verdict.relation else title
        if verdict.relation and len(title) <= TITLE and len(problem) > renderer.width:
            problem = verdict.relation  # the status line has the title
        if case is not None and not verdict.relation:
            problem, case = _join_problem(title, case.problem), replace(case, problem="")
        rows, rest = _first_rows(renderer, Lead(problem), "" if verdict.hint else after)
        yield from (*rows, *_hint(renderer, verdict), *_fix(fix), *rest)
    if verdict.failed_call:
        yield renderer.clipped_line(f"The call: {visible(verdict.failed_call)}")
    if case is not None:
        yield from renderer.case(case)
    elif begin_sentence(check.detail) != title:
        yield renderer.prose(visible(begin_sentence(check.detail)))


def _fix(sentence: str) -> list[Text]:
    return [Text(sentence, style="mark")] if sentence else []


def _hint(renderer: Renderer, verdict: Verdict) -> list[Text]:
    return [renderer.prose(visible(f"Hint: {verdict.hint}"))] if verdict.hint else []


def _join_problem(title: str, problem: str) -> str:
    """Return a sentence for the first row: the title, and the problem unless the title has it."""
    if not problem or problem in title:
        return title
    return f"{title}. {begin_sentence(problem)}."


def _origin(steps: Sequence[Step], file: str, marks: Marks) -> Text:
    """Draw the origin of a value in one line: the argument, and the steps from it."""
    line = Text("From: ", style="quiet", overflow="fold")
    for index, step in enumerate(steps):
        line.append(f" {marks.here} " if index else "", style="quiet")
        line.append(visible(step.expression), style="code")
        line.append(f" {step.aval}", style="default")
        if step.span:
            line.append(f" {visible(line_text(step.span, step.file, file))}", style="quiet")
    return line


def _count_checks(checks: Sequence[CheckResult], marks: Marks) -> Iterator[Text]:
    if len(checks) == 1:
        return  # what failed is in the first row
    passed = sum(check.status == "passed" for check in checks)
    yield Text(f"{passed} of {len(checks)} checks pass.", style="quiet")
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
    if renderer.console.width < WIDE or is_same_jaxpr(mine, ours):
        yield from renderer.jaxpr_diff(mine, ours)
        return
    theirs, yours = jaxprs.lines_alike(ours, mine)
    left = {line.text.strip() for line in yours}
    right = {line.text.strip() for line in theirs}
    table = Table.grid(padding=(0, 3, 0, 0), expand=True)
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
