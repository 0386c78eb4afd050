"""Tests the fixes: the form of an edit, and that repaired programs run and are right."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from jaxtutor.content.cause_pages import Library
from jaxtutor.core.data.diagnoses import Diagnosis, Edit
from jaxtutor.core.data.positions import Span
from jaxtutor.core.diagnosis.editing.draft import Draft, Patch
from jaxtutor.core.diagnosis.engine.candidates import (
    MOST_ATTEMPTS,
    MOST_EDITS,
    CandidateQueue,
    EditedVersion,
)
from jaxtutor.core.diagnosis.engine.propose import FIXED, MOST, propose
from jaxtutor.core.diagnosis.engine.rules import Diagnosed
from jaxtutor.core.diagnosis.engine.source import read_module
from program_pool import of_cause, selected
from program_runner import needs_in
from rule_index import rules
from score_fixes import Mending, Trial, corpus_trials, figures, fix_all

HERE = Path(__file__).parent
CAUSES = HERE.parent / "jaxtutor" / "causes"
PROGRAM = re.compile(r"^## (.*?)\n```python\n(.*?)^```\n```python\n(.*?)^```", re.M | re.S)
FAILING = re.compile(r"^```python failing\n(.*?)^```$", re.M | re.S)


def draft(source: str) -> Draft:
    """Begin a patch of a source."""
    module = read_module("lesson.py", source)
    assert module is not None
    return Draft(module)


def diagnosis(cause: str | None) -> Diagnosis:
    """Make a diagnosis that points at the first line."""
    return Diagnosis("TypeError", "", cause, "lesson.py", Span(1, 0, 1, 5), "x = 1", "", "")


# ---------------------------------------------------------------- the form of an edit


def test_edits_leave_the_rest_as_it_is() -> None:
    """A patch changes its spans and nothing else: not the spacing, not the comments."""
    source = "x  =  1  # one\ny = x+2\n"
    patch = Patch("lesson.py", (Edit(Span(1, 6, 1, 7), "10"), Edit(Span(2, 4, 2, 7), "x")))
    assert patch.apply(source) == "x  =  10  # one\ny = x\n"


def test_columns_are_characters() -> None:
    """A span after letters outside ASCII is found by characters and not by bytes."""
    made = draft('höhe = "ß"; y = f(1)\n')
    call = made.module.tree.body[1].value  # type: ignore[attr-defined]
    patch = made.replace(call, "g(1)").patch()
    assert patch is not None
    assert patch.apply(made.module.source) == 'höhe = "ß"; y = g(1)\n'


def test_diff_is_unified() -> None:
    """A patch shows itself as a unified diff of its file."""
    patch = Patch("lesson.py", (Edit(Span(1, 4, 1, 5), "2"),))
    assert patch.diff("x = 1\n").splitlines()[-2:] == ["-x = 1", "+x = 2"]


def test_no_patch_without_a_change() -> None:
    """Edits that change nothing do not form a patch."""
    made = draft("x = 1\n")
    assert made.replace(Span(1, 0, 1, 1), "x").patch() is None


def test_no_patch_that_does_not_parse() -> None:
    """Edits that leave invalid Python do not form a patch."""
    assert draft("x = 1\n").replace(Span(1, 4, 1, 5), "(").patch() is None


def test_no_patch_of_edits_that_collide() -> None:
    """Edits that overlap do not form a patch."""
    made = draft("x = 1 + 2\n")
    made.replace(Span(1, 4, 1, 9), "3").replace(Span(1, 8, 1, 9), "4")
    assert made.patch() is None


def test_block_keeps_a_statement() -> None:
    """The only statement of a block is replaced by pass when it is taken out."""
    made = draft("def f():\n    g()\n")
    patch = made.drop(made.module.tree.body[0].body[0]).patch()  # type: ignore[attr-defined]
    assert patch is not None
    assert patch.apply(made.module.source) == "def f():\n    pass\n"


# ---------------------------------------------------------------- names and imports


@pytest.mark.parametrize(
    ("imports", "path", "written"),
    [
        ("import jax.numpy as jnp", "jax.numpy.sin", "jnp.sin"),
        ("from jax import numpy as xnp", "jax.numpy.sin", "xnp.sin"),
        ("from jax import lax", "jax.lax.cond", "lax.cond"),
        ("import jax", "jax.lax.cond", "jax.lax.cond"),
        ("from jax.lax import cond", "jax.lax.cond", "cond"),
        ("from functools import partial", "functools.partial", "partial"),
        ("import functools as ft", "functools.partial", "ft.partial"),
    ],
)
def test_names_are_written_as_the_file_imports_them(imports: str, path: str, written: str) -> None:
    """A library's name is written through the aliases of the file, and nothing is imported."""
    made = draft(imports + "\nx = 1\n")
    assert (made.name(path), made.patch()) == (written, None)


@pytest.mark.parametrize(
    ("before", "path", "after"),
    [
        ("import jax\n", "jax.numpy.sin", "import jax\nimport jax.numpy as jnp\n"),
        ("import numpy as np\n", "jax.numpy.sin", "import jax.numpy as jnp\nimport numpy as np\n"),
        ("import jax.numpy as jnp\n", "jax.jit", "import jax\nimport jax.numpy as jnp\n"),
        ("import jax\n", "functools.partial", "from functools import partial\n\nimport jax\n"),
        ("import math\n", "functools.partial", "from functools import partial\nimport math\n"),
        ('"""Doc."""\n', "jax.jit", '"""Doc."""\nimport jax\n'),
        ("from __future__ import annotations\n", "jax.jit", None),
        ("import jax\n", "flax.nnx.Param", "from flax import nnx\nimport jax\n"),
        ("import jax\n", "unheard.of.name", "import jax\nimport unheard\n"),
    ],
)
def test_imports_are_added_in_order(before: str, path: str, after: str | None) -> None:
    """A missing import goes among the others by name, the standard library's before them."""
    made = draft(before + "x = 1\n")
    made.name(path)
    patch = made.patch()
    assert patch is not None
    wanted = after if after is not None else before + "import jax\n"
    assert patch.apply(made.module.source) == wanted + "x = 1\n"


# ---------------------------------------------------------------- proposing


@pytest.mark.parametrize("cause", [None, "no-such-cause", "ragged-list"])
def test_silence_where_no_edit_is_known(cause: str | None) -> None:
    """Nothing is proposed for a failure without a cause, or for a cause without a fix."""
    assert [] == list(propose(Diagnosed(diagnosis(cause))))


def test_attempts_are_few() -> None:
    """One program is tried a few times, however many edits there are."""
    attempts = CandidateQueue()
    edits = (Patch("f", (Edit(Span(1, 0, 1, 1), f"x{n}"),)) for n in range(100))
    attempts.offer(edits, {"f": "x = 1\n"})
    taken = [attempts.take() for _ in range(100)]
    assert MOST_ATTEMPTS == sum(attempt is not None for attempt in taken)


def test_attempts_are_tried_once() -> None:
    """Two ways to the same source are one attempt."""
    attempts, patch = CandidateQueue(), Patch("f", (Edit(Span(1, 4, 1, 5), "2"),))
    attempts.offer(iter([patch, patch]), {"f": "x = 1\n"})
    assert (attempts.take(), attempts.take()) == (EditedVersion({"f": "x = 2\n"}), None)


def test_edits_on_edits_come_to_an_end() -> None:
    """A version that lies too many edits from the learner's is not edited further."""
    attempts, far = CandidateQueue(), EditedVersion({"f": "x = 1\n"}, MOST_EDITS)
    attempts.offer(iter([Patch("f", (Edit(Span(1, 4, 1, 5), "2"),))]), far.sources, far)
    assert attempts.take() is None


@pytest.mark.parametrize("others", [(True, True), (True, False), (False, True)])
def test_a_version_is_certain_if_all_its_edits_are(others: tuple[bool, bool]) -> None:
    """A version that one uncertain edit led to is not certain, whatever came before or after."""
    first, second = others
    edit = (Edit(Span(1, 4, 1, 5), "2"),)
    attempts = CandidateQueue()
    attempts.offer(iter([Patch("f", edit, first)]), {"f": "x = 1\n"})
    before = attempts.take()
    assert before is not None
    further = (Edit(Span(1, 4, 1, 5), "3"),)
    attempts.offer(iter([Patch("f", further, second)]), before.sources, before)
    after = attempts.take()
    assert after is not None
    assert (before.certain, after.certain) == (first, first and second)


# ---------------------------------------------------------------- programs that run afterwards


def read_programs() -> dict[str, Trial]:
    """Read the broken programs; their names begin with their cause."""
    texts = (path.read_text() for path in sorted((HERE / "fixable").glob("*.md")))
    return {m[1]: Trial(m[1], m[2], m[3]) for text in texts for m in PROGRAM.finditer(text)}


PROGRAMS = read_programs()
CAUSES_SHOWN = {name.partition(":")[0] for name in PROGRAMS}
FIXES = {rule.slug: rule.fix for _, rule in rules() if rule.fix}
# One program for each fix, of which some serve several causes.
FIRST = {FIXES.get(name.partition(":")[0]): name for name in reversed(PROGRAMS)}


def each_program() -> list[Any]:
    """Return the names of the programs: the first of every sixteenth fix, others marked slow."""
    first = set(sorted(FIRST.values())[::16])
    return [
        of_cause(n.partition(":")[0], n, slow=n not in first, needs=needs_in(PROGRAMS[n].source))
        for n in sorted(PROGRAMS)
    ]


@pytest.fixture(scope="module")
def repaired(request: pytest.FixtureRequest) -> dict[str, Mending]:
    """Mend the programs of the selected tests together."""
    trials = [PROGRAMS[name] for name in selected(request, "name")]
    return {result.broken.name: result for result in fix_all(trials)}


@pytest.mark.parametrize("name", each_program())
def test_a_repaired_program_is_right(name: str, repaired: dict[str, Mending]) -> None:
    """A repaired program gives the right answer, after few tries and without a wrong version."""
    result = repaired[name]
    assert result.working is not None
    assert result.wrong is None
    assert len(result.tried) <= 2 * MOST


# Causes whose page shows a mistake that no small edit mends, though others of the cause can be.
PAGE_EXEMPT = {
    "compiled-for-other-types": "which shapes are meant is for its author to say",
    "specs-count-mismatch": "which axes of the argument are split is for its author to say",
    "array-in-metadata": "only a field that is declared is moved, not the result of `tree_flatten`",
    "custom-rule-arity": "which parameters a rule lacks is known only with nondiff_argnums",
    "cond-branch-structure-mismatch": "only its author knows what the other branch should add",
    "haiku-untransformed": "where parameters are made and passed is for its author to say",
    "linen-shape-changed": "only its author knows which size of images is meant",
    "ppermute-bad-pair": "only its author knows which devices are meant",
    "method-called-on-class": "the settings of the class are for its author to say",
    "loop-carry-structure-mismatch": "what the carry is meant to be is for its author to say",
    "checkpoint-structure-mismatch": "which structure is meant is for its author to say",
    "array-lacks-axis": "where the data get their axis is for their author to say",
    "library-argument-missing": "the value that is missing stands nowhere in the program",
    "leaked-by-closure": "what is stored has to become part of the carry",
    "relative-import-in-script": "the file that it imports from is missing",
    "no-valid-start": "which observations are wrong is for their author to say",
    "none-argument": "what stands for the missing array is for its author to say",
    "scan-carry-shape-change": "a carry that grows has to become the scan's output",
    "traced-repeat-count": "only the data say how long the result is",
    "wrong-arity": "the value that is missing stands nowhere in the program",
    "scan-lengths-differ": "which end has no partner is for its author to say",
}
# Causes that have no program of their own here, and why.
PROGRAM_EXEMPT = {
    "checkpoint-already-there": "the page shows it: Orbax saves in threads",
    "checkpoint-args-not-wrapped": "the page shows it: Orbax saves in threads",
    "checkpoint-path-relative": "the page shows it: Orbax saves in threads",
    "key-array-for-key": "a program of tests/programs shows it: Flax names its streams",
    "leaked-by-closure": "the page shows it; the edits are those of the other leaks",
    "mesh-axis-type-mismatch": "the page shows it",
    "mesh-needs-more-devices": "the page shows it: the tests have started the devices",
    "nan-grad-of-norm-at-zero": "the page shows it",
    "no-valid-start": "a sampler gives random answers",
    "seed-not-integer": "the page shows it: under jit the seed is refused by the compilation",
    "labels-without-transform": "the page shows it",
    "timed-before-finished": "the page shows it: two runs never take the same time",
    "relative-import-in-script": "the file that it imports from is missing",
    "value-read-each-round": "its observation is a time, and no answer shows it",
    "vmap-maps-shared-argument": "there is no finding of it yet",
    "stacked-params-not-mapped": "the page shows it",
    "loop-ends-in-first-round": "the page shows it",
    "names-exchanged": "the page shows it",
    "outer-value-read": "the page shows it",
    "value-never-read": "the page shows it",
    "argument-never-read": "the page shows it",
}


@pytest.mark.parametrize("cause", sorted(FIXED))
def test_every_fixer_has_a_program(cause: str) -> None:
    """Every cause that has a fix has a broken program, or a reason to have none."""
    assert (cause in CAUSES_SHOWN) != (cause in PROGRAM_EXEMPT)


def raises(page: Path) -> bool:
    """Return whether a page's failing block raises."""
    return FAILING.search(page.read_text()) is not None and "# error" in page.read_text()


LIBRARY = Library()


def needs_line(cause: str) -> str:
    """Return the line that names the libraries of a page's programs."""
    needs = LIBRARY[cause].needs
    return f"# needs: {' '.join(needs)}\n" if needs else ""


PAGES = sorted(cause for cause in FIXED if raises(CAUSES / f"{cause}.md"))


@pytest.fixture(scope="module")
def mended_pages(request: pytest.FixtureRequest) -> dict[str, Mending]:
    """Mend the failing blocks of the selected pages together."""
    chosen = selected(request, "page")
    found = ((c, FAILING.search((CAUSES / f"{c}.md").read_text())) for c in chosen)
    trials = [Trial(c, block[1] + needs_line(c), "") for c, block in found if block is not None]
    return {result.broken.name: result for result in fix_all(trials)}


@pytest.mark.parametrize(
    "page", [of_cause(cause, cause, slow=True, needs=LIBRARY[cause].needs) for cause in PAGES]
)
def test_failing_block_turns_into_one_that_runs(
    page: str, mended_pages: dict[str, Mending]
) -> None:
    """The failing block of a cause's page runs once it is repaired, or a reason is stated."""
    assert (mended_pages[page].working is not None) != (page in PAGE_EXEMPT)


def test_exempt_pages_have_fixers() -> None:
    """A cause stays exempt only as long as it has a fix."""
    assert set() == (set(PAGE_EXEMPT) | set(PROGRAM_EXEMPT)) - FIXED


# ---------------------------------------------------------------- the corpus


@pytest.mark.slow
def test_corpus_floor() -> None:
    """Of the corpus's programs that raise, nearly all can be repaired, and none wrongly."""
    results = [r for r in fix_all(corpus_trials(None)) if not r.is_silent]
    counted = figures(results)
    assert (counted["work"] >= 37, counted["run but wrong"]) == (True, 0)
