"""Tests the panel and the status line of a session."""

from __future__ import annotations

import io
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from msgspec.structs import replace
from rich.console import Console, RenderableType

from jaxtutor.content.loading import load_course
from jaxtutor.core.data.diagnoses import Diagnosis, Fix
from jaxtutor.core.data.failures import Failure, Step
from jaxtutor.core.data.positions import Frame, Span
from jaxtutor.core.data.verdicts import CaseResult, CheckResult, Verdict
from jaxtutor.core.reporting.lines import line_text
from jaxtutor.display import pages
from jaxtutor.display.render import Renderer
from jaxtutor.display.theme import ASCII, FANCY, make_theme
from jaxtutor.session import panel
from jaxtutor.session.key_tables import find_key
from jaxtutor.session.messages import Size
from jaxtutor.session.state import SessionState
from jaxtutor.session.status import draw_status
from jaxtutor.storage.store import Attempt
from jaxtutor.storage.workspace import Submission
from jaxtutor.watch.background import CheckFinished

LESSON = load_course(None).find("safe-clip-positive")
RAISES = "✗ TracerBoolConversionError"
SOURCE = "def f(x):\n    if x > 0:\n        return x\n"
DIAGNOSIS = Diagnosis(
    error_class="TracerBoolConversionError",
    message="no",
    cause="traced-bool-in-if",
    file="f.py",
    span=Span(2, 7, 2, 12),
    expression="x > 0",
    summary="`x > 0` is traced.",
    advice="Use `jnp.where`.",
    origin=(
        Step("x", "float32[]", span=Span(1, 6, 1, 7)),
        Step("x > 0", "bool[]", span=Span(2, 7, 2, 12)),
    ),
)
RAISED = Verdict(
    status="raised",
    lesson=LESSON.slug,
    headline="TracerBoolConversionError",
    checks=(
        CheckResult("import", "The file runs.", "passed"),
        CheckResult("trace", "It can be traced.", "failed"),
        CheckResult("values", "The answers are right.", "skipped"),
    ),
    seconds=0.1,
    device="cpu:0",
    jax_version="",
    failure=Failure("TracerBoolConversionError", (), "no"),
    diagnosis=DIAGNOSIS,
)
PASSED = replace(
    RAISED,
    status="passed",
    failure=None,
    diagnosis=None,
    checks=(CheckResult("import", "The file runs.", "passed"),),
)


def make_renderer(columns: int = 80) -> Renderer:
    """Return a renderer without colours or drawing."""
    console = Console(
        file=io.StringIO(), theme=make_theme(), width=columns, markup=False, highlight=False
    )
    return Renderer(console, FANCY)


def drawn(renderer: Renderer, parts: list[RenderableType]) -> list[str]:
    """Return the lines that parts are rendered as."""
    for part in parts:
        renderer.console.print(part)
    assert isinstance(renderer.console.file, io.StringIO)
    return [line.rstrip() for line in renderer.console.file.getvalue().splitlines()]


def make_state(
    columns: int = 80, below: bool = True, verdict: Verdict | None = None
) -> SessionState:
    """Return the state of a session, below an editor or on its own."""
    state = SessionState(LESSON, Path("f.py"))
    state.size = Size(columns, 7, 24, below)
    if verdict:
        state.checked = CheckFinished(
            LESSON, Submission(Path("f.py"), SOURCE.encode(), SOURCE), verdict
        )
    return state


def status(
    state: SessionState, hint: int = 0, below: int = 0, total: int = 0, focused: bool = False
) -> str:
    """Return the status line."""
    lines = total or below, below
    return draw_status(state, FANCY, "F12", (hint, 3), lines, focused).plain


ELSEWHERE = replace(
    DIAGNOSIS,
    raised_at=Frame("/src/model.py", "f", Span(2, 4, 2, 9)),
    raised_expression="self.norm(x)",
    origin=(*DIAGNOSIS.origin, Step("self.norm(x)", "bool[]", "/src/model.py", Span(2, 4, 2, 9))),
)


BESIDE = replace(
    DIAGNOSIS, error_class=None, cause="a-cause", summary="`x` is dropped.", span=Span(3, 0, 3, 5)
)


@pytest.mark.parametrize("verdict", [PASSED, RAISED])
def test_what_the_source_shows_is_one_line_below_the_verdict(verdict: Verdict) -> None:
    """A mistake beside the reason for a verdict is the last line, in the session too."""
    verdict = replace(verdict, beside=(BESIDE,))
    expected = "Line 3: `x` is dropped. (a-cause)"
    renderer = make_renderer()
    assert [expected] == drawn(renderer, [renderer.verdict(verdict, SOURCE)])[-2:-1]
    draw = panel.draw_pass if verdict.status == "passed" else panel.draw_verdict
    renderer = make_renderer()
    assert [expected] == drawn(renderer, list(draw(renderer, verdict, "", "")))[-2:-1]


def test_a_line_of_another_file_is_named_with_its_file() -> None:
    """The source of the shown file is never quoted for a line of another one."""
    renderer = make_renderer()
    lines = drawn(renderer, list(renderer.diagnosis(ELSEWHERE, SOURCE)))
    place = lines.index("It was raised at line 2 of model.py:")

    assert "  self.norm(x)" == lines[place + 1]
    assert "  self.norm(x)  bool[]     line 2 of model.py" in lines
    assert any(line.endswith("bool[]     line 2") for line in lines)


@pytest.mark.parametrize(
    ("file", "expected"),
    [
        ("f.py", "line 2"),
        (None, "line 2"),
        ("/src/model.py", "line 2 of model.py"),
        ("<ipython-input-1-abc>", "line 2 of another cell"),
        ("/tmp/ipykernel_7/12.py", "line 2 of another cell"),
    ],
)
def test_a_line_is_named_by_what_the_reader_sees(file: str | None, expected: str) -> None:
    """A line of the shown file has no name; a cell has no name that its author knows."""
    assert expected == line_text(Span(2, 4, 2, 9), file, "f.py")


# ---------------------------------------------------------------- the panel


def test_what_is_wrong_and_what_to_do_come_first() -> None:
    """A diagnosis shows what is wrong, what to do, the expression and its origin, in this order."""
    renderer = make_renderer()
    lines = drawn(renderer, list(panel.draw_verdict(renderer, RAISED, SOURCE, "", "Press e.")))

    assert [
        "`x > 0` is traced.",
        "Use `jnp.where`.",
        " → 2      if x > 0:",
        "             ^^^^^",
        "From: x float32[] line 1 → x > 0 bool[] line 2",
        "TracerBoolConversionError says",
        "  no",
        "Press e.",
        "1 of 3 checks pass.",
        "✓ The file runs.",
        "✗ It can be traced.",
    ] == lines


LONG_WINDED = replace(
    DIAGNOSIS,
    summary="`x > 0` is traced: its value is not known while the whole function is being compiled.",
    advice="`x > 0` needs the truth. For a choice between two values, of which both are computed,"
    " use `jnp.where(c, a, b)` or `jax.lax.select`. Otherwise keep it.",
)


def test_a_long_sentence_is_shown_whole() -> None:
    """What is wrong and what to do take the rows that they need, before the expression."""
    renderer = make_renderer()
    verdict = replace(RAISED, diagnosis=LONG_WINDED)
    lines = drawn(renderer, list(panel.draw_verdict(renderer, verdict, SOURCE, rows=6)))

    assert [
        "`x > 0` is traced: its value is not known while the whole function is being",
        "compiled.",
        "For a choice between two values, of which both are computed, use `jnp.where(c,",
        "a, b)` or `jax.lax.select`.",
        " → 2      if x > 0:",
        "             ^^^^^",
    ] == lines[:6]
    assert "Otherwise keep it." in lines
    assert not any("needs the truth" in line for line in lines)


def test_few_rows_end_with_a_whole_sentence() -> None:
    """In a narrow panel the first sentence is short, and is repeated whole below."""
    renderer = make_renderer(40)
    verdict = replace(RAISED, diagnosis=LONG_WINDED)
    lines = drawn(renderer, list(panel.draw_verdict(renderer, verdict, SOURCE, rows=7)))

    assert "`x > 0` is traced." == lines[0]
    assert "`jax.lax.select`." == lines[4]
    assert ["             ^^^^^", "`x > 0` is traced: its value is not"] == lines[6:8]


def test_an_expression_of_many_lines_is_shown_by_its_first() -> None:
    """If all lines of an expression do not fit, its first one is visible."""
    renderer = make_renderer()
    source = "y = f(\n    x,\n    x,\n)\n"
    verdict = replace(RAISED, diagnosis=replace(DIAGNOSIS, span=Span(1, 4, 4, 1)))
    lines = drawn(renderer, list(panel.draw_verdict(renderer, verdict, source, rows=6)))

    assert [" → 1  y = f(", "          ^^"] == lines[2:4]
    assert "   4  )" in lines[6:]


def test_a_hint_takes_the_place_of_unknown_advice() -> None:
    """An error without advice shows the lesson's hint as what to do."""
    renderer = make_renderer()
    verdict = replace(RAISED, diagnosis=replace(DIAGNOSIS, advice=""), hint="Which is `x`?")
    lines = drawn(renderer, list(panel.draw_verdict(renderer, verdict, SOURCE, "Press h.")))

    assert ["`x > 0` is traced.", "Hint: Which is `x`?"] == lines[:2]
    assert lines.count("Hint: Which is `x`?") == 1


FAILED = replace(
    RAISED,
    status="failed",
    failure=None,
    diagnosis=None,
    headline="Wrong answer",
    checks=(CheckResult("values", "The answers are right.", "failed", title="Wrong answer"),),
)


def test_a_known_mistake_comes_before_the_numbers() -> None:
    """The sentence of a known mistake is first, then the title of the check."""
    renderer = make_renderer()
    known = replace(FAILED, misconception="You add. Replace it instead.", relation="It is doubled.")
    lines = drawn(renderer, list(panel.draw_verdict(renderer, known, SOURCE, "Press h.")))

    assert ["You add. Replace it instead.", "Wrong answer", "It is doubled."] == lines[:3]


def test_a_finding_comes_before_the_numbers() -> None:
    """A wrong answer whose cause is known begins with the cause."""
    renderer = make_renderer()
    dropped = replace(
        DIAGNOSIS,
        error_class=None,
        summary="The result is thrown away.",
        advice="It is a copy. Assign the result.",
        origin=(),
    )
    found = replace(FAILED, findings=(dropped,))
    lines = drawn(renderer, list(panel.draw_verdict(renderer, found, SOURCE, "Press h.")))

    assert ["The result is thrown away.", "Assign the result."] == lines[:2]
    assert "Wrong answer" == lines[5]


def test_a_wrong_answer_of_unknown_cause_offers_a_hint() -> None:
    """Where nothing is known of the mistake, the second row is the next step."""
    renderer = make_renderer()
    lines = drawn(renderer, list(panel.draw_verdict(renderer, FAILED, SOURCE, "Press h.")))

    assert ["Wrong answer", "Press h."] == lines[:2]


def wrong(title: str, problem: str) -> Verdict:
    """Return the verdict on a wrong call."""
    case = CaseResult("x=1", None, None, passed=False, visible=True, problem=problem)
    check = CheckResult("values", "It is right.", "failed", title=title, case=case)
    return replace(FAILED, checks=(check,))


@pytest.mark.parametrize(
    ("title", "problem", "first"),
    [
        ("Wrong answer", "1 of 3 elements differ", "Wrong answer. 1 of 3 elements differ."),
        ("Wrong shape: expected (3,)", "expected (3,)", "Wrong shape: expected (3,)"),
    ],
)
def test_the_first_row_says_how_the_answer_is_wrong(title: str, problem: str, first: str) -> None:
    """The first row has the title and the problem, once, and the call follows."""
    renderer = make_renderer()
    lines = drawn(renderer, list(panel.draw_verdict(renderer, wrong(title, problem), SOURCE)))

    assert [first, "For x=1"] == lines


def test_a_long_relation_is_the_first_row() -> None:
    """A relation that does not fit beside the title stands alone: the status line has the title."""
    renderer = make_renderer()
    relation = "In both calls your gradient is 0.707107 instead of 0 wherever it is wrong."
    related = replace(FAILED, relation=relation)

    assert relation == drawn(renderer, list(panel.draw_verdict(renderer, related, SOURCE)))[0]


@pytest.mark.parametrize("verdict", [RAISED, FAILED])
def test_a_fix_does_not_hide_what_is_wrong(verdict: Verdict) -> None:
    """What is known of a fix stands below what is wrong and what to do."""
    renderer = make_renderer()
    lines = drawn(
        renderer, list(panel.draw_verdict(renderer, verdict, SOURCE, "Press h.", fix="A fix."))
    )

    expected = (
        ["`x > 0` is traced.", "Use `jnp.where`.", "A fix."]
        if verdict is RAISED
        else ["Wrong answer", "A fix."]
    )
    assert expected == lines[: len(expected)]
    assert "Press h." not in lines


def test_the_hint_for_a_failure_comes_before_the_call() -> None:
    """The hint that the lesson has for a failure takes the place of the next step."""
    renderer = make_renderer()
    hinted = replace(FAILED, hint="What is the carry before the first step?")
    lines = drawn(renderer, list(panel.draw_verdict(renderer, hinted, SOURCE, "Press h.")))

    assert ["Wrong answer", "Hint: What is the carry before the first step?"] == lines[:2]


def test_a_pass_says_what_is_next() -> None:
    """A pass is one line with the next step and what the lesson taught."""
    renderer = make_renderer()
    lines = drawn(renderer, list(panel.draw_pass(renderer, PASSED, "`where`.", "F12 n goes on.")))

    assert ["✓ The check passes. F12 n goes on.", "New: `where`."] == lines


def test_the_status_line_names_what_failed() -> None:
    """A failed check is named in the status line in place of "failed"."""
    assert "✗ wrong answer" in status(make_state(verdict=FAILED))


def test_what_a_program_prints_is_shown_not_obeyed() -> None:
    """Escape sequences in output and messages never reach the terminal."""
    renderer = make_renderer()
    loud = replace(RAISED, stdout="\x1b[2J\x07gone", headline="\x1b]0;t\x07")
    text = "\n".join(drawn(renderer, list(panel.draw_verdict(renderer, loud, SOURCE))))

    assert "\x1b" not in text
    assert "␛[2J␇gone" in text


DIFF = """--- f.py
+++ f.py
@@ -1,4 +1,4 @@
 def f(x):
     y = x
-    if x > 0:
+    if True:
         return x
     return y
"""


def test_a_fix_says_what_was_seen_of_it() -> None:
    """A short fix says whether it is verified, and shows the change with one line of context."""
    renderer = make_renderer()
    lines = drawn(renderer, list(panel.draw_fix(renderer, Fix(DIFF, True), PASSED)))

    assert [
        "Verified fix: your file passes with it.",
        "     y = x",
        "-    if x > 0:",
        "+    if True:",
        "         return x",
    ] == lines


def test_an_edit_that_does_not_pass_is_not_called_verified() -> None:
    """An edit that only gets further is not called verified, and the next failure is shown."""
    renderer = make_renderer()
    first, *_ = drawn(renderer, list(panel.draw_fix(renderer, Fix(DIFF, False), RAISED)))

    assert "Partial fix: more checks pass. What remains: TracerBoolConversionError" == first


# ---------------------------------------------------------------- attempts

NOW = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("age", "words"),
    [
        (timedelta(seconds=-5), "just now"),
        (timedelta(seconds=59), "just now"),
        (timedelta(minutes=1), "1 minute ago"),
        (timedelta(minutes=59, seconds=59), "59 minutes ago"),
        (timedelta(hours=25), "1 day ago"),
        (timedelta(days=400), "400 days ago"),
    ],
)
def test_ages(age: timedelta, words: str) -> None:
    """An age is shown in its largest unit, and is "now" if the clock was set back."""
    assert words == pages.age_text(age)


def test_attempts_come_the_newest_first() -> None:
    """Each attempt shows its number, status, age and headline, newest first."""
    renderer = make_renderer(40)
    attempts = [
        Attempt("a", n, NOW - timedelta(minutes=9 // n), status, "cpu:0", "", "", 0.1, "", b"")
        for n, status in ((1, "raised"), (2, "passed"))
    ]
    says = ["It raised \x1b, and that in a great many words", "All hold"]
    table = pages.attempts_page(attempts, says, NOW, FANCY)

    assert [
        "2  ✓  4 minutes ago  All hold",
        "1  ✗  9 minutes ago  It raised ␛, and t…",
    ] == drawn(renderer, [table])


# ---------------------------------------------------------------- the status line


@pytest.mark.parametrize(
    ("columns", "expected"),
    [
        (100, f"3.1 safe-clip-positive {RAISES} hint 2 of 3 5 more below F12 keys"),
        (80, f"3.1 safe-clip-positive {RAISES} 5 more below F12 keys"),
        (60, f"3.1 {RAISES} 5 more below F12 keys"),
        (40, "3.1 ✗ 5 more below F12"),
        (20, "3.1 ✗ F12"),
    ],
)
def test_the_line_says_as_much_as_there_is_room_for(columns: int, expected: str) -> None:
    """In a narrow terminal, hint, lesson and class are left out first; mark and keys remain."""
    line = status(make_state(columns, verdict=RAISED), hint=2, below=5)

    assert expected == " ".join(line.split())


@pytest.mark.parametrize("columns", range(4, 130, 7))
@pytest.mark.parametrize("below", [True, False])
def test_the_line_fits(columns: int, below: bool) -> None:
    """The status line is one line at every width."""
    state = make_state(columns, below, RAISED)

    assert len(status(state, hint=1, below=9)) <= columns
    assert len(status(state, focused=True)) <= columns


def test_a_check_in_progress_counts() -> None:
    """During a check, the status line shows that, not the previous verdict."""
    state = make_state(verdict=RAISED)
    state.checking_since = time.monotonic()

    assert "checking 0." in status(state)
    assert "Tracer" not in status(state)


def test_what_is_known_during_a_check() -> None:
    """The status line says what is known before the verdict; where there is no room, nothing."""
    state = make_state(verdict=RAISED)
    state.checking_since, state.known = time.monotonic(), "it traces"

    assert "s, it traces" in status(state)

    state.size = Size(24, 6, 24)
    assert "checking" in status(state)
    assert "traces" not in status(state)


def test_what_could_not_be_read_was_not_checked() -> None:
    """If the file is missing or is not text, no verdict is shown as current."""
    state = make_state(verdict=RAISED)
    state.unread = True

    assert (True, False) == (state.is_outdated, state.has_failed)
    assert "not checked" in status(state)
    assert "Tracer" not in status(state)


@pytest.mark.parametrize("columns", [80, 40, 30])
def test_what_has_no_mark_is_shown_in_full(columns: int) -> None:
    """A message without a mark is shown in full or not at all."""
    state = make_state(columns, below=False, verdict=RAISED)
    state.unread = True

    assert "not checked" in status(state, hint=1, below=40)


def test_the_starter_is_no_failure() -> None:
    """An unchanged starter is shown as something to do, not as a failure."""
    state = make_state()
    state.checked = CheckFinished(
        LESSON, Submission(Path("f.py"), LESSON.starter.encode(), LESSON.starter), RAISED
    )

    state.given = True

    assert "to do" in status(state)


def test_the_starter_once_it_was_saved_is_a_failure() -> None:
    """A starter that was saved is checked and fails like any other text."""
    state = make_state()
    state.checked = CheckFinished(
        LESSON, Submission(Path("f.py"), LESSON.starter.encode(), LESSON.starter), RAISED
    )

    assert "to do" not in status(state)


def test_after_the_prefix_the_keys_are_named() -> None:
    """After the prefix key, the line says that the panel has the keys, where it is, and which."""
    state = make_state(100, verdict=RAISED)
    state.offset = 4
    expected = " PANEL  5-10 of 12  esc back  space scroll  h hint  z whole screen"

    assert status(state, below=2, total=12, focused=True).startswith(expected)


def test_the_keys_in_the_line_can_be_clicked() -> None:
    """A click on the words of a key in the status line stands for that key."""
    state = make_state(100, verdict=RAISED)
    line = status(state, focused=True)
    columns = [line.index(words) + 3 for words in ("  esc back", "  h hint", "  ? more")]

    assert ["escape", "h", "?"] == [find_key(line, column, "F12") for column in columns]
    assert "" == find_key(line, 3, "F12")
    assert "prefix" == find_key(status(make_state(verdict=RAISED)), 75, "F12")


def test_a_question_takes_the_line() -> None:
    """A question replaces the rest of the status line."""
    state = make_state(verdict=RAISED)
    state.asking = ("Quit? All is lost.", lambda: None)
    narrow = make_state(20)
    narrow.asking = state.asking

    assert "Quit? All is lost. y or n" == status(state, focused=True).strip()
    assert "Quit? y or n" == status(narrow, focused=True).strip()


def test_marks_that_the_terminal_has() -> None:
    """A terminal without Unicode gets ASCII marks."""
    line = draw_status(make_state(verdict=PASSED), ASCII, "F12", (0, 3), (0, 0))

    assert "+ passed" in line.plain


# ---------------------------------------------------------------- a lesson's text


@pytest.mark.parametrize("view", ["text", "verdict"])
def test_a_key_shows_what_follows_the_task(view: str) -> None:
    """From any view, the text is shown from the end of its task on, until another view is."""
    state = make_state()
    state.show_view(view)
    state.offset = 3
    state.read_on()

    assert ("text", True) == (state.view, state.reads_on)
    assert state.offset is None
    state.show_view("text")
    assert not state.reads_on


def test_the_page_of_the_next_lesson_reads_on_without_being_opened() -> None:
    """The key stays on the page of a lesson that is not open yet."""
    state = make_state()
    state.show_view("verdict")
    state.preview = LESSON
    state.read_on()

    assert (LESSON, "verdict", True) == (state.preview, state.view, state.reads_on)


def test_the_status_line_names_the_key_that_shows_the_worked_example() -> None:
    """A text that does not fit has the key beside those that scroll it, if both fit."""
    line = status(make_state(columns=100, below=False), below=40, total=60)

    assert "space scroll  w example" in line


def test_a_page_without_a_worked_example_has_no_key_for_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The status line of a page that fits one screen leaves it out, and so does the panel."""
    page = "# Short\n\n## Problem\n\nAdd.\n\n## After you pass\n\nGood.\n"
    monkeypatch.setattr(type(LESSON), "page", page)
    monkeypatch.delitem(vars(LESSON), "has_example", raising=False)
    lines = [
        status(make_state(columns=160, below=False), below=40, total=60),
        status(make_state(columns=160), focused=True),
    ]
    monkeypatch.delitem(vars(LESSON), "has_example", raising=False)

    assert [False, False] == ["example" in line for line in lines]
