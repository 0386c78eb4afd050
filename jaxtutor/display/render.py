"""Draws verdicts: what is wrong first, then where, why, and what to do."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence
from typing import TypeGuard

from rich.cells import cell_len, set_cell_size
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from jaxtutor.core.data.diagnoses import Diagnosis
from jaxtutor.core.data.facts import Cost
from jaxtutor.core.data.failures import Step
from jaxtutor.core.data.jaxprs import Jaxpr
from jaxtutor.core.data.lines import diff_lines, is_crlf, split_lines, unified
from jaxtutor.core.data.positions import Span
from jaxtutor.core.data.values import ArrayValue, Tree
from jaxtutor.core.data.verdicts import CaseResult, CheckResult, Verdict
from jaxtutor.core.diagnosis.engine.fallback_summaries import excerpt
from jaxtutor.core.judging import jaxprs
from jaxtutor.core.judging.arrays import RowDiff, count_rows, diff_leaf, diff_rows, tree_text
from jaxtutor.core.judging.compare import begin_sentence, describe, type_text
from jaxtutor.core.reporting.lines import line_text
from jaxtutor.display.prose import ProseRenderer
from jaxtutor.display.theme import visible

AROUND = 2
MOST_PRINTS = 12
LONGEST_PRINT = 200
MOST_VALUE_ROWS = 3
"""Rows of the terminal that one value or one list of arguments may take."""
_WORDS = {
    "passed": "passed",
    "failed": "not passed",
    "raised": "raised an error",
    "timed_out": "did not end in time",
    "crashed": "ended its process",
    "lesson_at_fault": "cannot be checked: the lesson is broken",
}


class Renderer(ProseRenderer):
    """Draws verdicts and what belongs to them.

    With `whole_messages`, an exception's message is shown with all its paragraphs.
    """

    whole_messages = False

    # ------------------------------------------------------------ a verdict

    def verdict(
        self, verdict: Verdict, source: str, new: str = "", after: str = ""
    ) -> RenderableType:
        """Draw a verdict. `new` is what the lesson taught, `after` names the next step."""
        parts: list[RenderableType] = [self._headline(verdict), Text()]
        if verdict.status == "passed":
            parts += self._praise(verdict, new)
        elif verdict.status == "lesson_at_fault":
            parts += self._apology(verdict)
        else:
            parts += self._trouble(verdict, source)
        parts += self._prints(verdict)
        parts += self.beside(verdict)
        if after:
            parts += [Text(after, style="quiet")]
        return Group(*parts)

    def _headline(self, verdict: Verdict) -> Text:
        passed = verdict.status == "passed"
        style = "passed" if passed else "failed"
        mark = self.marks.passed if passed else self.marks.failed
        line = Text(f"{mark} {verdict.lesson} {_WORDS[verdict.status]}", style=style)
        if verdict.failure is not None:
            line = Text(f"{mark} {verdict.lesson}: {verdict.failure.error_class}", style=style)
        if verdict.seconds:
            line.append(f"   {verdict.seconds:.2f} s on {verdict.device}", style="quiet")
        return line

    def _praise(self, verdict: Verdict, new: str) -> Iterator[RenderableType]:
        count = len(verdict.checks)
        yield Text(f"All {count} checks pass." if count > 1 else "The check passes.")
        if new:
            yield self.prose(f"New: {new}")
        yield Text(self.comparison(verdict) + self._compare_costs(verdict))
        yield Text()

    def comparison(self, verdict: Verdict) -> str:
        """Compare the jaxpr with the solution's; empty where a comparison says nothing."""
        if verdict.jaxpr is None or verdict.reference_jaxpr is None:
            return ""
        mine, ours = jaxprs.count(verdict.jaxpr), jaxprs.count(verdict.reference_jaxpr)
        if not mine and not ours:
            return ""
        if is_same_jaxpr(verdict.jaxpr, verdict.reference_jaxpr):
            return f"Your jaxpr is the same as the solution's: {_count(mine, 'equation')}."
        return f"Your jaxpr has {_count(mine, 'equation')}, the solution's has {ours}."

    @staticmethod
    def _compare_costs(verdict: Verdict) -> str:
        mine, ours = verdict.cost, verdict.reference_cost
        if not _is_estimate(mine) or not _is_estimate(ours):
            return ""
        return (
            f" XLA estimates {mine.flops:,.0f} FLOPs and {mine.bytes:,.0f} bytes a call;"
            f" for the solution {ours.flops:,.0f} and {ours.bytes:,.0f}."
        )

    def _apology(self, verdict: Verdict) -> Iterator[RenderableType]:
        yield Text("This is the lesson's fault, not yours:", style="title")
        yield Text(visible(verdict.headline))
        yield Text("Your file was not changed. Continue with: jaxtutor next", style="quiet")
        yield Text()

    def _trouble(self, verdict: Verdict, source: str) -> Iterator[RenderableType]:
        failed = next((check for check in verdict.checks if check.status == "failed"), None)
        if verdict.diagnosis is not None:
            called, reason = verdict.failed_call, verdict.failed_reason
            yield from self.diagnosis(verdict.diagnosis, source, called=called, reason=reason)
        elif failed is not None:
            yield from self.failed_check(verdict, failed)
            yield Text()
        for finding in verdict.findings:
            yield from self.diagnosis(finding, source)
        if verdict.hint:
            yield Text("Hint", style="title")
            yield Padding(self.prose(visible(verdict.hint)), (0, 0, 0, 2))
            yield Text()
        if verdict.works_without_jit:
            yield Text("Without jit this call works. It fails only while it is being compiled.")
            yield Text()
        yield from self._checks(verdict.checks)
        yield Text()

    def beside(self, verdict: Verdict) -> Iterator[RenderableType]:
        """Draw quietly what the source shows by itself, beside the reason for the verdict."""
        for finding in verdict.beside:
            line = f"Line {finding.span.line}: " if finding.span is not None else ""
            text = self.prose(visible(f"{line}{finding.summary} ({finding.cause})"))
            text.stylize("quiet")
            yield text
        if verdict.beside:
            yield Text()

    def failed_check(self, verdict: Verdict, check: CheckResult) -> Iterator[RenderableType]:
        """Draw a check that failed: its title, what the answer is instead, and the call."""
        yield Text(visible(check.title or check.says), style="title", overflow="fold")
        for sentence in filter(None, (verdict.misconception, verdict.relation)):
            yield self.prose(visible(sentence))
        if verdict.failed_call:
            yield Text(f"The call: {self._clipped(visible(verdict.failed_call))}", overflow="fold")
        if check.case is not None:
            yield from self.case(check.case)
        elif begin_sentence(check.detail) != check.title:
            yield self.prose(visible(begin_sentence(check.detail)))

    def _checks(self, checks: Sequence[CheckResult]) -> Iterator[RenderableType]:
        skipped = 0
        for check in checks:
            if check.status == "skipped":
                skipped += 1
                continue
            passed = check.status == "passed"
            mark = self.marks.passed if passed else self.marks.failed
            style = "passed" if passed else "failed"
            yield Text.assemble(("  " + mark, style), " " + check.says)
        if skipped:
            yield Text(
                f"  {self.marks.skipped} {_count(skipped, 'more check')} after this one passes.",
                style="quiet",
            )

    def _prints(self, verdict: Verdict) -> Iterator[RenderableType]:
        lines = visible(verdict.stdout).rstrip("\n").split("\n") if verdict.stdout.strip() else []
        if not lines:
            return
        yield Text("It printed:", style="title")
        for line in lines[:MOST_PRINTS]:
            cut = line[:LONGEST_PRINT] + (self.marks.gap if len(line) > LONGEST_PRINT else "")
            yield Text("  " + cut, overflow="fold")
        if len(lines) > MOST_PRINTS:
            yield Text(f"  {self.marks.gap} {len(lines) - MOST_PRINTS} lines more", style="quiet")
        yield Text()

    # ------------------------------------------------------------ a diagnosis

    def diagnosis(
        self,
        diagnosis: Diagnosis,
        source: str,
        around: int = AROUND,
        called: str = "",
        reason: str = "",
    ) -> Iterator[RenderableType]:
        """Draw what happened, where, where the value came from, and what to do.

        `called` has the arguments of the call that raised, where they are known, and `reason` what
        is special about them.
        """
        yield self.prose(visible(diagnosis.summary))
        if called:
            yield self.call(called, reason, "Called with")
        yield Text()
        if diagnosis.span is not None:
            yield from self.excerpt(source, diagnosis.span, around)
            yield Text()
        is_elsewhere = diagnosis.span is None or (
            diagnosis.raised_at is not None
            and (diagnosis.raised_at.file, diagnosis.raised_at.span.line)
            != (diagnosis.file, diagnosis.span.line)
        )
        if diagnosis.raised_at is not None and is_elsewhere:
            raised = diagnosis.raised_at
            line = line_text(raised.span, raised.file, diagnosis.file)
            yield Text(f"It was raised at {visible(line)}:", style="title")
            if raised.file == diagnosis.file:
                yield from self.excerpt(source, raised.span, around=0)
            else:
                expression = visible(diagnosis.raised_expression)
                yield Text(f"  {expression}", style="code", overflow="fold")
            yield Text()
        if len(diagnosis.origin) > 1:
            yield Text("Where the value came from", style="title")
            yield self._origin(diagnosis.origin, diagnosis.file)
            yield Text()
        if diagnosis.advice:
            yield Text("What to do", style="title")
            yield Padding(self.prose(visible(diagnosis.advice)), (0, 0, 0, 2))
            yield Text()
        if diagnosis.cause:
            yield from self.message(diagnosis)
            yield Text.assemble("Cause: ", (diagnosis.cause, "code"))
            yield Text()

    def message(self, diagnosis: Diagnosis) -> Iterator[RenderableType]:
        """Draw the exception's own message: it has facts, and at times a way out, of its own."""
        shown = excerpt(diagnosis.message, whole=self.whole_messages)
        if not shown.lines or diagnosis.error_class is None:
            return
        yield Text(f"{diagnosis.error_class} says", style="title")
        for line in shown.lines:
            yield Padding(Text(visible(line), style="quiet", overflow="fold"), (0, 0, 0, 2))
        if shown.left:
            yield Text(f"  {self.marks.gap} {_count(shown.left, 'more line')}", style="quiet")
        yield Text()

    def _origin(self, steps: Sequence[Step], file: str) -> Table:
        table = Table.grid(padding=(0, 2, 0, 0))
        table.add_column(overflow="fold", ratio=None)
        table.add_column(overflow="fold")
        table.add_column()
        for index, step in enumerate(steps):
            role = "argument" if index == 0 else ""
            place = visible(line_text(step.span, step.file, file)) if step.span else ""
            table.add_row(
                Text("  " + visible(step.expression), style="code"),
                Text(step.aval),
                Text(", ".join(filter(None, (place, role))), style="quiet"),
            )
        return table

    def excerpt(self, source: str, span: Span, around: int = AROUND) -> Iterator[Text]:
        """Draw the source around a span, the span marked by colour and by carets below it."""
        lines = split_lines(source) or [""]
        first = max(span.line - around, 1)
        last = min(span.end_line + around, len(lines))
        width = len(str(last))
        lead = len(self.marks.here) + 1
        room = max(self.width - width - lead - 3, 10)
        for number in range(first, last + 1):
            inside = span.line <= number <= span.end_line
            marker = self.marks.here if number == span.line else ""
            text = visible(lines[number - 1]) if number <= len(lines) else ""
            gutter = Text(f"{marker:>{lead}}{number:>{width + 1}}  ", style="quiet")
            start, end = _columns(lines[number - 1], span, number)
            shift = min(_fitting(text[:end], room), start) if inside else 0
            body = Text(_first_cells(text[shift:], room))
            if inside:
                body.stylize("failed", start - shift, end - shift)
            yield gutter + body
            if inside:
                before = cell_len(body.plain[: start - shift])
                marked = cell_len(body.plain[: end - shift]) - before
                carets = " " * before + "^" * max(1, marked)
                yield Text(" " * (width + lead + 3) + carets, style="mark")

    # ------------------------------------------------------------ values

    def case(self, case: CaseResult) -> Iterator[RenderableType]:
        """Draw one call: the arguments, what was expected, what was returned."""
        yield self.call(case.inputs, case.reason)
        if case.problem:
            yield self.prose(visible(begin_sentence(case.problem)) + ".")
        rows = self._rows(case)
        if rows:
            yield from rows
            return
        if case.expected is not None and case.actual is not None and _is_abstract(case.actual):
            return  # the types are in the sentence above
        label = max(len("expected"), len(_label(case)))
        if case.expected is not None:
            line = f"- {'expected':<{label}}  {_whole(case.expected)}"
            yield Text(self._clipped(line), style="added", overflow="fold")
        if case.actual is not None:
            line = f"+ {_label(case):<{label}}  {_whole(case.actual)}"
            yield Text(self._clipped(line), style="removed", overflow="fold")

    def call(self, inputs: str, reason: str = "", words: str = "For") -> Text:
        """Draw the arguments of a call, and what is special about it."""
        line = Text(f"{words} {self._clipped(visible(inputs))}", overflow="fold")
        return line.append(f"  ({visible(reason)})", style="mark") if reason else line

    def clipped_line(self, text: str) -> Text:
        """Draw a text that would take more than a few rows only so far."""
        return Text(self._clipped(text), overflow="fold")

    def _clipped(self, text: str) -> str:
        """Cut a text that would take more than a few rows."""
        most = self.width * MOST_VALUE_ROWS
        return text if len(text) <= most else text[: most - 1] + self.marks.gap

    def _rows(self, case: CaseResult) -> list[RenderableType]:
        if case.expected is None or case.actual is None or case.difference is None:
            return []
        leaves = diff_leaf(case.expected, case.actual, case.difference)
        if leaves is None or not case.difference.places:
            return []
        wanted, got = (leaf.value for leaf in leaves)
        if not isinstance(wanted, ArrayValue) or not isinstance(got, ArrayValue):
            return []
        rows = diff_rows(wanted, got, case.difference.places)
        drawn: list[RenderableType] = []
        for row in rows:
            drawn += self._row(row, type_text(wanted), type_text(got), _label(case))
        hidden = count_rows(wanted.shape, case.difference.places) - len(rows)
        if hidden > 0:
            drawn.append(Text(f"{self.marks.gap} {_count(hidden, 'row')} more", style="quiet"))
        return drawn

    def _row(self, row: RowDiff, wanted: str, got: str, what: str) -> Iterator[RenderableType]:
        widths = [max(map(len, cells)) for cells in zip(row.expected, row.actual, strict=True)]
        prefix = f"{row.prefix} " if row.prefix else ""
        label = max(len("expected"), len(what))
        yield self._cells(
            f"- {'expected':<{label}}  {prefix}", row.expected, row, widths, "added", wanted
        )
        yield self._cells(f"+ {what:<{label}}  {prefix}", row.actual, row, widths, "removed", got)
        marks = " ".join(
            ("^" if marked else " ") * width + " "
            for width, marked in zip(widths, row.marks, strict=True)
        )
        indent = label + len("-   ") + len(prefix) + (not row.is_number)
        yield Text(" " * indent + marks.rstrip(), style="mark", no_wrap=True)

    def _cells(
        self,
        head: str,
        cells: Sequence[str],
        row: RowDiff,
        widths: list[int],
        style: str,
        kind: str,
    ) -> Text:
        opening, closing = ("", "") if row.is_number else ("[", "]")
        text = Text(head + opening, no_wrap=True, overflow="ellipsis")
        for index, (cell, width) in enumerate(zip(cells, widths, strict=True)):
            text.append(", " if index else "")
            text.append(f"{cell:>{width}}", style=style if row.marks[index] else "")
        return text.append(closing).append(f"  {kind}", style="quiet")

    # ------------------------------------------------------------ diffs of text

    def jaxpr_diff(self, mine: Jaxpr, ours: Jaxpr) -> Iterator[Text]:
        """Draw the solution's jaxpr against the learner's, variables named alike."""
        theirs, yours = jaxprs.lines_alike(ours, mine)
        if is_same_jaxpr(mine, ours):
            yield Text("Your jaxpr is the same as the solution's:", style="title")
        else:
            yield Text.assemble(("- solution", "removed"), "   ", ("+ yours", "added"))
        yield from self.line_diff([line.text for line in theirs], [line.text for line in yours])

    def line_diff(self, before: Sequence[str], after: Sequence[str]) -> Iterator[Text]:
        """Draw lines that went with `-` and lines that came with `+`, in full context."""
        matcher = difflib.SequenceMatcher(None, before, after, autojunk=False)
        for _, i, i_end, j, j_end in matcher.get_opcodes():
            same = before[i:i_end] == after[j:j_end]
            if same:
                yield from (Text(f"  {visible(line)}", overflow="fold") for line in before[i:i_end])
                continue
            for sign, style, lines in (
                ("-", "removed", before[i:i_end]),
                ("+", "added", after[j:j_end]),
            ):
                for line in lines:
                    yield Text(f"{sign} {visible(line)}", style=style, overflow="fold")

    def source_diff(self, before: str, after: str, names: tuple[str, str]) -> Iterator[Text]:
        """Draw a unified diff of two sources; nothing when they are equal."""
        yield from self.diff_text(unified(before, after, names))

    def diff_text(self, diff: str) -> Iterator[Text]:
        """Draw the text of a unified diff."""
        ending = "\r\n" if is_crlf(diff) else "\n"
        for line in diff_lines(diff):
            shown = visible(line.removesuffix(ending).removesuffix("\n"))
            yield Text(shown, style=_diff_style(line), overflow="fold")


def is_same_jaxpr(mine: Jaxpr, ours: Jaxpr) -> bool:
    """Return whether two jaxprs are drawn alike."""
    theirs, yours = jaxprs.lines_alike(ours, mine)
    return [line.text for line in theirs] == [line.text for line in yours]


def _diff_style(line: str) -> str:
    if line.startswith(("---", "+++")):
        return "title"
    return {"-": "removed", "+": "added", "@": "quiet"}.get(line[:1], "")


def _columns(text: str, span: Span, number: int) -> tuple[int, int]:
    """Return where the span begins and ends on one of its lines, as drawn."""
    start = span.column if number == span.line else len(text) - len(text.lstrip())
    end = span.end_column if number == span.end_line else len(text.rstrip())
    return len(visible(text[:start])), max(len(visible(text[:end])), len(visible(text[:start])) + 1)


def _fitting(text: str, room: int) -> int:
    """Count the characters to leave out in front so that the rest has room; some are two wide."""
    left = 0
    excess = cell_len(text) - room
    while excess > 0:
        excess -= cell_len(text[left])
        left += 1
    return left


def _first_cells(text: str, room: int) -> str:
    return text if cell_len(text) <= room else set_cell_size(text, room)


def _is_estimate(cost: Cost | None) -> TypeGuard[Cost]:
    """Return whether there is a cost. XLA says 0 of an empty program, -1 if it cannot count."""
    return cost is not None and min(cost.flops, cost.bytes) >= 0 and cost.flops + cost.bytes > 0


def _is_abstract(tree: Tree) -> bool:
    return any(
        isinstance(leaf.value, ArrayValue) and leaf.value.data is None for leaf in tree.leaves
    )


def _label(case: CaseResult) -> str:
    """Label what was returned with one word; a weighted gradient is a gradient here."""
    return case.what.partition(",")[0]


def _whole(tree: Tree) -> str:
    """Write a value and its type; a string shows that it is one, and a tree has its paths."""
    text, kind = tree_text(tree), describe(tree)
    is_clear = text == kind or not isinstance(tree.leaves[0].value, ArrayValue)
    return text if tree.leaves and is_clear else f"{text}  {kind}"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
