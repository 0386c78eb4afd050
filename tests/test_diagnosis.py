"""Tests the rules of the diagnosis: what each is asked of, and that its parts fit together."""

from __future__ import annotations

from pathlib import Path
from types import UnionType
from typing import Any, get_args, get_type_hints

import pytest

from catalogue import catalogue
from jaxtutor.content.cause_pages import Library
from jaxtutor.core.data.failures import Failure
from jaxtutor.core.diagnosis.context import FailureContext
from jaxtutor.core.diagnosis.diagnose import diagnose
from jaxtutor.core.diagnosis.families import FINDING_FIXES, RULES
from jaxtutor.core.diagnosis.rules import AtFrame, Finding, Rule
from program_pool import failure_of
from recordings import corners, records

HERE = Path(__file__).parent
CAUSES = Library()
TRIED = {
    program.cause
    for name, program in catalogue().items()
    if name.startswith(("programs/", "spellings/")) and not program.is_right
}
"""The causes that a program or a spelling is written for."""


def test_a_package_that_is_not_installed_is_not_a_misspelt_name(tmp_path: Path) -> None:
    """Libraries report a missing package themselves, as an ImportError of their own."""
    source = """raise ImportError("No module named 'jaxns'. To use this, install `jaxns`.")\n"""
    failure = failure_of(source, tmp_path)
    found = diagnose(failure, {failure.frames[0].file: source}, CAUSES)
    assert found is not None
    assert found.cause is None


# ---------------------------------------------------------------- the rules


def test_a_cause_has_one_rule() -> None:
    """No cause has two rules, or two fixes for a finding."""
    for slugs in ([rule.slug for rule in RULES], [item.slug for item in FINDING_FIXES]):
        assert sorted(set(slugs)) == sorted(slugs)


def test_every_rule_and_program_is_of_a_cause_with_a_page() -> None:
    """The rules, the fixes and the programs name causes that have a page."""
    named = {rule.slug for rule in RULES} | {item.slug for item in FINDING_FIXES}
    assert set() == (named | TRIED) - set(CAUSES)


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
    assert set() == {rule.slug for rule in RULES} - TRIED


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
    name = "programs/shape_mismatch_matmul__at"
    failure = records(corners()[-1])[name].failure
    assert failure is not None
    sources = {f"{name}.py": catalogue()[name].source}
    made = (("Mine", failure.bases), ("KeyError", ("KeyError", "LookupError")))
    others = [Failure(name, bases, failure.message, failure.frames) for name, bases in made]
    found = [diagnose(each, sources, CAUSES) for each in (failure, *others)]
    cause = "shape-mismatch-matmul"
    assert [cause, cause, None] == [each and each.cause for each in found]
