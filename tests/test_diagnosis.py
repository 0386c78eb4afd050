"""Tests the diagnosis: programs of every cause get that cause, at the line to change."""

from __future__ import annotations

import re
from pathlib import Path
from types import UnionType
from typing import Any, get_args, get_type_hints

import pytest

from jaxtutor.content.cause_pages import Library
from jaxtutor.core.data.diagnoses import Diagnosis
from jaxtutor.core.data.failures import Failure
from jaxtutor.core.diagnosis.context import FailureContext
from jaxtutor.core.diagnosis.diagnose import diagnose
from jaxtutor.core.diagnosis.families import FINDING_FIXES, RULES
from jaxtutor.core.diagnosis.findings import find
from jaxtutor.core.diagnosis.rules import AtFrame, Finding, Rule
from program_pool import of_cause, run_programs, selected
from program_runner import Ran, needs_of
from spellings import RIGHT, SPELLINGS

HERE = Path(__file__).parent
PROGRAMS = tuple(sorted((HERE / "programs").glob("*.py")))
EXPECTED = re.compile(r"# expects: ([\w-]+)(?: at (\d+))?")
CAUSES = Library()


def expected(path: Path) -> tuple[str, int | None]:
    """Read a program's first line: the cause it has, and the line to change if it says so."""
    match = EXPECTED.match(path.read_text())
    assert match is not None
    return match[1], int(match[2]) if match[2] else None


def is_slow(number: int, path: Path) -> bool:
    """Return whether a program runs with the slow tests only.

    One of 80 runs always; of those that import a library, one of 30.
    """
    return bool(number % (30 if needs_of(path) else 80))


def diagnosis_of(ran: Ran) -> Diagnosis | None:
    """Diagnose the result of a program; the only finding if it did not raise."""
    sources = {ran.path: Path(ran.path).read_text()}
    if ran.failure is not None:
        return diagnose(ran.failure, sources, CAUSES)
    found = find(ran.observations, sources, CAUSES)
    return found[0] if len(found) == 1 else None


# ---------------------------------------------------------------- programs


@pytest.fixture(scope="module")
def program_outcomes(request: pytest.FixtureRequest) -> dict[str, Ran]:
    """Run the programs of the selected tests together."""
    return run_programs([str(path) for path in selected(request, "path")])


@pytest.mark.parametrize(
    "path",
    [
        of_cause(expected(p)[0], p, slow=is_slow(n, p), needs=needs_of(p))
        for n, p in enumerate(PROGRAMS)
    ],
    ids=lambda path: path.stem,
)
def test_a_program_gets_its_cause_and_line(path: Path, program_outcomes: dict[str, Ran]) -> None:
    """A program gets the cause it was written for, at the line to change."""
    cause, line = expected(path)
    found = diagnosis_of(program_outcomes[str(path)])
    assert found is not None
    at = found.span.line if found.span is not None else None
    assert (cause, line or at) == (found.cause, at)


# ---------------------------------------------------------------- spellings


def run_sources(folder: Path, sources: dict[str, str]) -> dict[str, Ran]:
    """Run programs by name."""
    for name, source in sources.items():
        (folder / f"{name}.py").write_text(source)
    ran = run_programs([str(folder / f"{name}.py") for name in sources])
    return {name: ran[str(folder / f"{name}.py")] for name in sources}


@pytest.fixture(scope="module")
def spelling_outcomes(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, Ran]:
    """Run the spellings of the selected causes together."""
    chosen = selected(request, "spelt")
    named = {f"{cause}-{n}": s for cause in chosen for n, s in enumerate(SPELLINGS[cause])}
    return run_sources(tmp_path_factory.mktemp("spellings"), named)


@pytest.mark.parametrize(
    "spelt", [of_cause(cause, cause, slow=bool(n % 58)) for n, cause in enumerate(SPELLINGS)]
)
def test_every_spelling_gets_its_cause(spelt: str, spelling_outcomes: dict[str, Ran]) -> None:
    """Every spelling of a mistake is diagnosed as that cause and no other."""
    wrong = []
    for number, source in enumerate(SPELLINGS[spelt]):
        found = diagnosis_of(spelling_outcomes[f"{spelt}-{number}"])
        if found is None or found.cause != spelt:
            wrong.append((source, found and found.cause))
    assert [] == wrong


@pytest.mark.slow
def test_right_programs_get_no_finding(tmp_path: Path) -> None:
    """Programs that do on purpose what others do by mistake get no finding."""
    ran = run_sources(tmp_path, {f"right_{n}": source for n, source in enumerate(RIGHT)})
    assert [None] * len(RIGHT) == [outcome.failure for outcome in ran.values()]
    sources = {name: {r.path: Path(r.path).read_text()} for name, r in ran.items()}
    found = {name: find(r.observations, sources[name], CAUSES) for name, r in ran.items()}
    assert {} == {name: [f.cause for f in some] for name, some in found.items() if some}


def test_a_package_that_is_not_installed_is_not_a_misspelt_name(tmp_path: Path) -> None:
    """Libraries report a missing package themselves, as an ImportError of their own."""
    source = """raise ImportError("No module named 'jaxns'. To use this, install `jaxns`.")\n"""
    found = diagnosis_of(run_sources(tmp_path, {"needs": source})["needs"])
    assert found is not None
    assert found.cause is None


# ---------------------------------------------------------------- pages


def failing_blocks() -> dict[str, tuple[str, int]]:
    """Return the failing block and erring line of every page whose cause raises."""
    return {
        slug: (example.source, example.error_line)
        for slug, cause in CAUSES.items()
        for example in cause.examples
        if example.kind == "failing" and cause.raises and example.error_line is not None
    }


BLOCKS = failing_blocks()


def block_source(slug: str) -> str:
    """Return a failing block, with the libraries that it needs named at its end."""
    needs = " ".join(CAUSES[slug].needs)
    return BLOCKS[slug][0] + (f"# needs: {needs}\n" if needs else "")


@pytest.fixture(scope="module")
def block_outcomes(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, Ran]:
    """Run the failing blocks of the selected pages together."""
    sources = {slug: block_source(slug) for slug in selected(request, "page")}
    return run_sources(tmp_path_factory.mktemp("blocks"), sources)


@pytest.mark.parametrize(
    "page", [of_cause(slug, slug, slow=True, needs=CAUSES[slug].needs) for slug in BLOCKS]
)
def test_the_failing_block_of_a_page_gets_its_cause(
    page: str, block_outcomes: dict[str, Ran]
) -> None:
    """A page's failing block gets its cause; the marked line raises it or is to change."""
    found = diagnosis_of(block_outcomes[page])
    assert found is not None
    lines = [found.span.line] if found.span is not None else []
    if found.raised_at is not None:
        lines.append(found.raised_at.span.line)
    assert (page, True) == (found.cause, BLOCKS[page][1] in lines)


# ---------------------------------------------------------------- the rules


def test_a_cause_has_one_rule() -> None:
    """No cause has two rules, or two fixes for a finding."""
    for slugs in ([rule.slug for rule in RULES], [item.slug for item in FINDING_FIXES]):
        assert sorted(set(slugs)) == sorted(slugs)


def test_every_rule_and_program_is_of_a_cause_with_a_page() -> None:
    """The rules, the fixes and the programs name causes that have a page."""
    named = {rule.slug for rule in RULES} | {item.slug for item in FINDING_FIXES}
    assert set() == (named | {expected(path)[0] for path in PROGRAMS} | set(SPELLINGS)) - set(
        CAUSES
    )


def test_every_page_is_reached() -> None:
    """A cause that raises has a rule; one that raises nothing is named by a finding."""
    folder = HERE.parent / "jaxtutor" / "core" / "diagnosis"
    finders = [*folder.glob("observed_*.py"), folder / "findings.py", folder / "endless.py"]
    finders += [it for it in folder.glob("families/*/*.py") if it.name != "__init__.py"]
    found_by = "".join(path.read_text() for path in finders)
    ruled = {rule.slug for rule in RULES}
    unreached = [slug for slug in CAUSES if slug not in ruled and f'"{slug}"' not in found_by]
    assert [] == unreached
    assert set() == {slug for slug, cause in CAUSES.items() if cause.raises} - ruled


def test_a_rule_without_a_matcher_has_a_message() -> None:
    """Where no function decides, the page gives a message."""
    silent = [r.slug for r in RULES if r.match is None and not CAUSES[r.slug].message]
    assert [] == silent


def kinds(annotation: Any) -> set[type]:
    """List the classes of an annotation, without None."""
    members = get_args(annotation) if isinstance(annotation, UnionType) else (annotation,)
    return {member for member in members if member is not type(None)}


@pytest.mark.parametrize("rule", [r for r in RULES if r.fix], ids=lambda rule: rule.slug)
def test_a_fix_takes_what_its_matcher_returns(rule: Rule) -> None:
    """The class that a matcher returns is one that the fix takes."""
    assert rule.fix is not None
    hints = get_type_hints(rule.match) if rule.match is not None else {"return": AtFrame}
    taken = kinds(next(iter(get_type_hints(rule.fix).values())))
    dispatched = set(getattr(rule.fix, "registry", ())) - {object}
    given = kinds(hints["return"])
    assert [] == [kind for kind in given if not issubclass(kind, tuple(taken | dispatched))]


@pytest.mark.parametrize("item", FINDING_FIXES, ids=lambda item: item.slug)
def test_a_fix_of_a_finding_takes_a_finding(item: Any) -> None:
    """A fix for what raised nothing takes the finding."""
    assert Finding in kinds(get_type_hints(item.fix)["found"])


def test_every_rule_has_a_program() -> None:
    """Each rule is tried by at least one program or spelling of its cause."""
    tried = {expected(path)[0] for path in PROGRAMS} | set(SPELLINGS)
    assert set() == {rule.slug for rule in RULES} - tried


def test_a_class_of_a_library_is_known_by_its_path() -> None:
    """A page names a library's class by its dotted path, and no other class of that name."""
    names = ("InvalidRngError", "Exception", "BaseException", "object")
    raised = [Failure(names[0], names, "", module=m) for m in ("flax.errors", "mine")]
    path = ("flax.errors.InvalidRngError",)
    assert [True, False] == [FailureContext(failure, {}).is_a(path) for failure in raised]


@pytest.mark.parametrize(
    ("frames", "library"),
    [
        (("flax.linen.module.Module.apply", "jax._src.core.Tracer.__bool__"), "flax"),
        (("jax._src.traceback_util.wrap", "equinox._jit._call", "jax.jit"), "equinox"),
        (("jax.numpy.ufunc.__call__", "flax.core.scope.Scope.param"), ""),
        ((), ""),
    ],
)
def test_the_library_is_what_the_learner_called(frames: tuple[str, ...], library: str) -> None:
    """A failure is a library's if the learner's last frame called it, wrappers left aside."""
    failure = Failure("ValueError", ("ValueError",), "", jax_frames=frames)
    assert library == FailureContext(failure, {}).library


def test_the_page_decides_which_classes_a_rule_sees() -> None:
    """A failure is matched if the page names its class or a base of it, and else never."""
    path = next(p for p in PROGRAMS if expected(p)[0] == "shape-mismatch-matmul")
    failure = run_programs([str(path)])[str(path)].failure
    assert failure is not None
    sources = {str(path): path.read_text()}
    made = (("Mine", failure.bases), ("KeyError", ("KeyError", "LookupError")))
    others = [Failure(name, bases, failure.message, failure.frames) for name, bases in made]
    found = [diagnose(each, sources, CAUSES) for each in (failure, *others)]
    cause = "shape-mismatch-matmul"
    assert [cause, cause, None] == [each and each.cause for each in found]
