"""Tests the rules of the diagnosis: what each is asked of, and that its parts fit together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from types import UnionType
from typing import Any, get_args, get_origin, get_type_hints

import pytest

from catalogue import catalogue
from jaxtutor.content.cause_pages import Library
from jaxtutor.core.data.failures import Failure
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.diagnose import diagnose
from jaxtutor.core.diagnosis.engine.matches import AtFrame, Match
from jaxtutor.core.diagnosis.engine.rules import Observed, Raised, Read, Rule
from program_pool import Failing
from recordings import corners, records
from rule_index import rules

HERE = Path(__file__).parent
CAUSES = Library()
RULES = tuple(rule for _, rule in rules())
TRIED = {
    program.cause
    for name, program in catalogue().items()
    if name.startswith(("programs/", "spellings/")) and not program.is_right
}
"""The causes that a program or a spelling is written for."""


def test_a_package_that_is_not_installed_is_not_a_misspelt_name(tmp_path: Path) -> None:
    """Libraries report a missing package themselves, as an ImportError of their own."""
    source = """raise ImportError("No module named 'jaxns'. To use this, install `jaxns`.")\n"""
    with closing(Failing()) as failing:
        failure = failing.failure_of(source, tmp_path)
    found = diagnose(failure, {failure.frames[0].file: source}, CAUSES)
    assert found is not None
    assert found.diagnosis.cause is None


# ---------------------------------------------------------------- the rules


def test_a_cause_has_one_rule() -> None:
    """No cause has two rules of one kind."""
    named = [(rule.slug, rule.kind) for rule in RULES]
    assert [] == [it for it, count in Counter(named).items() if count > 1]


def test_every_rule_and_program_is_of_a_cause_with_a_page() -> None:
    """The rules and the programs name causes that have a page."""
    assert set() == ({rule.slug for rule in RULES} | TRIED) - set(CAUSES)


def test_every_page_is_reached() -> None:
    """A cause that raises has a rule for that; one that raises nothing has another rule."""
    ruled = {rule.slug for rule in RULES}
    raised = {rule.slug for rule in RULES if rule.kind == "raised"}
    assert set() == set(CAUSES) - ruled
    assert set() == {slug for slug, cause in CAUSES.items() if cause.raises} - raised


def test_a_rule_without_a_matcher_has_a_message() -> None:
    """Where no function decides, the page gives a message."""
    without = [r.slug for r in RULES if isinstance(r.recognise, Raised) and not r.recognise.match]
    assert [] == [slug for slug in without if not CAUSES[slug].message]


def kinds(annotation: Any) -> set[type]:
    """List the classes of an annotation, without None."""
    members = get_args(annotation) if isinstance(annotation, UnionType) else (annotation,)
    return {member for member in members if member is not type(None)}


def recognisers(rule: Rule[Any]) -> list[Any]:
    """List the functions that recognise a cause."""
    match rule.recognise:
        case Raised(match=None):
            return []
        case Raised(match=found):
            return [found]
        case Observed(pairs=pairs):
            return [recognise for _, recognise in pairs]
        case Read(of_file=of_file, of_all=of_all):
            return [*of_file, *of_all]
    return []


def returned(recognise: Any) -> set[type]:
    """List the classes of the matches that a function returns or yields."""
    annotation = get_type_hints(recognise)["return"]
    is_many = get_origin(annotation) is Iterator
    return kinds(get_args(annotation)[0] if is_many else annotation) - {Match}


@pytest.mark.parametrize(
    "rule", [r for r in RULES if r.fix], ids=lambda rule: f"{rule.slug}-{rule.kind}"
)
def test_a_fix_takes_what_its_matcher_returns(rule: Rule[Any]) -> None:
    """The classes that the functions of a rule return are those that its fix takes."""
    assert rule.fix is not None
    given = {kind for found in recognisers(rule) for kind in returned(found)} or {AtFrame}
    taken = kinds(next(iter(get_type_hints(rule.fix).values())))
    dispatched = set(getattr(rule.fix, "registry", ())) - {object}
    fitting = {it for it in taken | dispatched if isinstance(it, type)}
    assert [] == [kind for kind in given if not issubclass(kind, tuple(fitting))]


def test_every_rule_has_a_program() -> None:
    """Each rule is tried by a program or spelling of its cause, unless that never ends."""
    assert set() == {rule.slug for rule in RULES if rule.kind != "stopped"} - TRIED


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
    name = "programs/shape_mismatch_matmul"
    failure = records(corners()[-1])[name].failure
    assert failure is not None
    sources = {f"{name}.py": catalogue()[name].source}
    made = (("Mine", failure.bases), ("KeyError", ("KeyError", "LookupError")))
    others = [Failure(name, bases, failure.message, failure.frames) for name, bases in made]
    found = [diagnose(each, sources, CAUSES) for each in (failure, *others)]
    cause = "shape-mismatch-matmul"
    assert [cause, cause, None] == [each and each.diagnosis.cause for each in found]
