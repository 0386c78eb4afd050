"""Draws what is shown below an editor: a verdict in few lines, the most important first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from jaxtutor.core.data.diagnoses import Diagnosis, Fix
from jaxtutor.core.data.failures import Step
from jaxtutor.core.data.jaxprs import Jaxpr
from jaxtutor.core.data.lines import diff_lines
from jaxtutor.core.data.positions import Span
from jaxtutor.core.data.verdicts import CheckResult, Verdict
from jaxtutor.core.judging import jaxprs
from jaxtutor.core.judging.compare import begin_sentence
from jaxtutor.core.reporting.layout import Part, lay_out
from jaxtutor.core.reporting.lead import failed_check, lead_of_diagnosis, shorten
from jaxtutor.core.reporting.lines import line_text
from jaxtutor.display.render import Renderer, is_same_jaxpr
from jaxtutor.display.theme import Marks, visible
from jaxtutor.session.status import TITLE

SYNTAX = ("SyntaxError", "IndentationError", "TabError")
WIDE = 100
"""Columns from which two jaxprs are drawn side by side."""


class Parts(Struct, frozen=True):
    """What should be visible, each in its forms, the whole one first; and what may follow below."""

    first: Sequence[Sequence[RenderableType]]
    rest: Sequence[RenderableType]


def draw_verdict(
    renderer: Renderer,
    verdict: Verdict,
    source: str,
    after: str = "",
    explain: str = "",
    fix: str = "",
    rows: int = 0,
) -> Iterator[RenderableType]:
    """Draw a verdict that is not a pass: what is wrong, what to do, where, and then the rest.

    `after` is the next step where nothing else is known that could be done, `explain` says how to
    open the page of a cause, and `fix` what is known of a fix. Nothing is cut by the last of the
    visible `rows`, if there are any.
    """
    parts = _parts(renderer, verdict, source, "" if fix else after, explain, fix)

    def measure(drawn: RenderableType) -> Part[RenderableType]:
        return Part(drawn, len(renderer.console.render_lines(drawn, pad=False)))

    first = [[measure(form) for form in forms] for forms in parts.first]
    yield from lay_out(first, [measure(part) for part in parts.rest], rows, Text(" "))


def _parts(
    renderer: Renderer, verdict: Verdict, source: str, after: str, explain: str, fix: str
) -> Parts:
    """Return the parts of a verdict, the most important first."""
    if verdict.status == "lesson_at_fault":
        fault = Text("This is the lesson's fault, not yours:", style="title")
        return Parts([[fault]], [Text(visible(verdict.headline))])
    named = [one for one in (verdict.diagnosis, *verdict.findings) if one is not None]
    failed = None if verdict.diagnosis is not None else failed_check(verdict)
    rest: list[RenderableType] = []
    if named:
        main = _diagnosis(renderer, named[0], source, after, fix, verdict)
        rest += [Text(explain, style="quiet")] if explain and named[0].cause else []
        if failed is not None:
            rest += _whole(_failed_check(renderer, verdict, failed))
    elif failed is not None:
        main = _failed_check(renderer, verdict, failed, after, fix)
    else:
        main = Parts([[Text(visible(verdict.headline), style="title")], *_fix(fix)], [])
    for finding in named[1:]:
        rest += _whole(_diagnosis(renderer, finding, source))
    return Parts(main.first, [*main.rest, *rest, *_ending(renderer, verdict)])


def _ending(renderer: Renderer, verdict: Verdict) -> Iterator[RenderableType]:
    """Draw what follows below the reasons for a verdict."""
    if verdict.works_without_jit:
        yield Text("Without jit this call works. It fails only while it is being compiled.")
    yield from _count_checks(verdict.checks, renderer.marks)
    yield from _prints(verdict)
    yield from renderer.beside(verdict)
    yield from renderer.new_terms(verdict)


def _whole(parts: Parts) -> list[RenderableType]:
    """Return parts in their whole forms."""
    return [*(forms[0] for forms in parts.first), *parts.rest]


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
    yield from renderer.new_terms(verdict)


def _problem(renderer: Renderer, text: str) -> list[RenderableType]:
    """Draw what is wrong: all of it, and shorter."""
    return [_styled(renderer.prose(visible(one)), "title") for one in (text, *shorten(text))]


def _styled(text: Text, style: str) -> Text:
    text.style = style
    return text


def _diagnosis(
    renderer: Renderer,
    diagnosis: Diagnosis,
    source: str,
    after: str = "",
    fix: str = "",
    verdict: Verdict | None = None,
) -> Parts:
    lead = lead_of_diagnosis(diagnosis)
    is_syntax = diagnosis.error_class in SYNTAX  # a hint would be about something else
    hint = _hint(renderer, verdict) if verdict is not None and verdict.diagnosis else []
    remedy = [renderer.prose(visible(lead.remedy))] if lead.remedy else hint
    if not remedy and after and not is_syntax:
        remedy = [renderer.prose(after)]
    code = _code(renderer, source, diagnosis.span) if diagnosis.span is not None else []
    first: list[Sequence[RenderableType]]
    first = [_problem(renderer, lead.problem), remedy, *_fix(fix), code]
    rest: list[RenderableType] = []
    line = diagnosis.span.line if diagnosis.span else 0
    raised = diagnosis.raised_at
    if raised is not None and (raised.file, raised.span.line) != (diagnosis.file, line):
        where = line_text(raised.span, raised.file, diagnosis.file)
        rest.append(Text(f"It was raised at {visible(where)}."))
    if len(diagnosis.origin) > 1:
        rest.append(_origin(diagnosis.origin, diagnosis.file, renderer.marks))
    rest += [renderer.prose(visible(text)) for text in lead.rest]
    if verdict is not None and verdict.failed_call:
        rest.append(renderer.call(verdict.failed_call, verdict.failed_reason, "Called with"))
    if diagnosis.cause and (message := list(renderer.message(diagnosis))[:-1]):
        rest.append(Group(*message))  # without the empty line at its end
    rest += hint if lead.remedy else []
    return Parts([forms for forms in first if forms], rest)


def _code(renderer: Renderer, source: str, span: Span) -> list[RenderableType]:
    """Draw the lines of a span with its carets: all of them, and only the first."""
    lines = list(renderer.excerpt(source, span, around=0))
    return [Group(*lines), *([Group(*lines[:2])] if len(lines) > 2 else [])]


def _failed_check(
    renderer: Renderer, verdict: Verdict, check: CheckResult, after: str = "", fix: str = ""
) -> Parts:
    """Draw a check that failed: the mistake if it is known, the call, and both answers."""
    title, case = check.title or check.says, check.case
    first: list[Sequence[RenderableType]]
    rest: list[RenderableType] = []
    if verdict.misconception:
        first = [[renderer.prose(visible(verdict.misconception))], *_fix(fix)]
        rest = [Text(visible(title), style="title", overflow="fold")]
        rest += [renderer.prose(visible(verdict.relation))] if verdict.relation else []
    else:
        problem = f"{title}. {verdict.relation}" if verdict.relation else title
        if verdict.relation and len(title) <= TITLE and len(problem) > renderer.width:
            problem = verdict.relation  # the status line has the title
        if case is not None and not verdict.relation:
            problem, case = _join_problem(title, case.problem), replace(case, problem="")
        hint = _hint(renderer, verdict) or ([renderer.prose(after)] if after else [])
        first = [_problem(renderer, problem), *([hint] if hint else []), *_fix(fix)]
    if verdict.failed_call:
        rest.append(renderer.clipped_line(f"The call: {visible(verdict.failed_call)}"))
    if case is not None:
        rest += renderer.case(case)
    elif begin_sentence(check.detail) != title:
        rest.append(renderer.prose(visible(begin_sentence(check.detail))))
    return Parts(first, rest)


def _fix(sentence: str) -> list[list[RenderableType]]:
    return [[Text(sentence, style="mark")]] if sentence else []


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
