"""Tests that marks do not depend on what a submission's own process reports.

Each program in `forgeries/` returns wrong answers, or none, and has its process report right ones.
It passes where its own report is believed, and must not where a meter runs its programs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from msgspec.structs import replace

from builders import WRONG_PRIMAL, outcome
from jaxtutor.checks.lesson_check import Checker, Trial
from jaxtutor.content.lesson import Lesson
from jaxtutor.core.data.facts import CaseFacts, Contradicted, Measured, Outcome, PropertyFacts
from jaxtutor.core.data.programs import (
    CASES,
    AnswerPlace,
    ExportedPrograms,
    LoweredProgram,
    ProgramUse,
)
from jaxtutor.core.data.values import ArrayValue
from jaxtutor.core.data.verdicts import Verdict
from jaxtutor.core.grading.grades import SubmittedFile, grade_of
from jaxtutor.core.judging.compare import find_non_finite
from jaxtutor.core.judging.measured import exported_programs, measured_checks, with_measured
from jaxtutor.core.vocabulary import Finite
from jaxtutor.grading.meter import Meter
from jaxtutor.grading.run import Candidate, confirm
from jaxtutor.worker import exporting, meter, values
from trials.sample_lessons import CHECKS, INFO, make_checker, make_lesson

FORGERIES = Path(__file__).parent / "forgeries"
RIGHT = "def double(x):\n    return x + x\n"
CHECKS_WITH_GRADIENT = (
    CHECKS.replace("import Call", "import Call, Gradient")
    + "\n\nPROPERTIES = [Gradient([Call(np.array([1.0, 4.0], np.float32))])]\n"
)


@pytest.fixture(scope="module")
def lesson(tmp_path_factory: pytest.TempPathFactory) -> Lesson:
    folder = tmp_path_factory.mktemp("lesson") / "01_double"
    files = {"checks.py": CHECKS_WITH_GRADIENT, "lesson.toml": INFO + "[needs]\nseconds = 4.0\n"}
    return make_lesson(folder, files)


@pytest.fixture(scope="module")
def plain_lesson(tmp_path_factory: pytest.TempPathFactory) -> Lesson:
    return make_lesson(tmp_path_factory.mktemp("lesson") / "01_double")


@pytest.fixture(scope="module")
def checker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Checker]:
    made = make_checker(tmp_path_factory.mktemp("references"))
    yield Checker(made.runner, {}, made.references, "cpu", export=True)
    made.runner.close()


def run(checker: Checker, lesson: Lesson, source: str) -> Trial:
    tried = checker.run(lesson, source, Path("/submission/double.py"))
    assert isinstance(tried, Trial)
    return tried


def failed_text(verdict: Verdict) -> str:
    return next(check.detail for check in verdict.checks if check.status == "failed")


def notes(verdict: Verdict) -> tuple[str, ...]:
    return grade_of(SubmittedFile("ann", "double", "double.py", ""), verdict).notes


# ---------------------------------------------------------------- forgeries


@pytest.mark.parametrize(
    ("name", "says", "noted"),
    [
        ("swaps_the_compiled_function", "is not what its program returns", ("tampered",)),
        ("edits_code_and_undoes_it", "is not what its program returns", ("tampered",)),
        ("sends_facts_of_its_own", "no program was sent", ()),
        ("sends_facts_and_programs", "is not what its program returns", ("tampered",)),
    ],
)
def test_a_forged_report_passes_only_where_it_is_believed(
    checker: Checker, lesson: Lesson, name: str, says: str, noted: tuple[str, ...]
) -> None:
    """The report of a wrong submission is contradicted by the programs that it was traced to."""
    tried = run(checker, lesson, (FORGERIES / f"{name}.py").read_text())
    assert "passed" == checker.judge(tried).status

    (verdict,) = Meter(checker).verdicts([tried])

    assert ("failed", noted) == (verdict.status, notes(verdict))
    assert says in failed_text(verdict)


def test_answers_that_are_looked_up_are_wrong_for_a_seed_that_nobody_knows(
    checker: Checker, plain_lesson: Lesson
) -> None:
    """The meter calls the programs with inputs that no submission could compute in advance."""
    tried = run(checker, plain_lesson, (FORGERIES / "looks_answers_up.py").read_text())
    assert "passed" == checker.judge(tried).status

    (verdict,) = Meter(checker, fresh_seed=7).verdicts([tried])

    assert ("failed", ()) == (verdict.status, notes(verdict))
    assert "elements differ" in failed_text(verdict)


def test_fewer_reported_answers_than_calls_do_not_pass(checker: Checker, lesson: Lesson) -> None:
    """A report that leaves a wrong answer out contradicts the programs."""
    tried = run(checker, lesson, RIGHT)
    events = list(tried.outcome.events)
    cases = [it for it in events if type(it).__name__ == "CaseFacts"]
    events.remove(cases[-1])
    shortened = _with_outcome(tried, replace(tried.outcome, events=tuple(events)))
    assert "passed" == checker.judge(shortened).status

    (verdict,) = Meter(checker).verdicts([shortened])

    assert "it reported fewer answers than there are calls" in failed_text(verdict)


def test_a_forged_answer_beside_a_gradient_is_contradicted(
    checker: Checker, lesson: Lesson
) -> None:
    """The answer that comes with a gradient is measured as well."""
    tried = run(checker, lesson, WRONG_PRIMAL)
    (right,) = [it for it in tried.reference.events if isinstance(it, PropertyFacts)]
    events = [
        replace(it, primals=right.primals) if isinstance(it, PropertyFacts) else it
        for it in tried.outcome.events
    ]
    forged = _with_outcome(tried, replace(tried.outcome, events=tuple(events)))
    assert "passed" == checker.judge(forged).status

    (verdict,) = Meter(checker).verdicts([forged])

    assert ("failed", ("tampered",)) == (verdict.status, notes(verdict))
    assert "is not what its program returns" in failed_text(verdict)


# ---------------------------------------------------------------- what carries


def test_a_right_submission_passes_with_every_answer_measured(
    checker: Checker, lesson: Lesson
) -> None:
    """Values and gradients come from the meter; the other checks from the submission's process."""
    tried = run(checker, lesson, RIGHT)
    (verdict,) = Meter(checker).verdicts([tried])

    assert "passed" == verdict.status
    assert ("values", "gradient") == measured_checks(tried.reference)
    assert 4 == len(verdict.cases)  # two examples, a hidden call, and a fresh one


@pytest.mark.parametrize(
    "how",
    [
        "jax.debug.print('{}', x)",
        "jax.debug.callback(print, x, ordered=True)",
        "jax.lax.map(lambda v: jax.debug.print('{}', v, ordered=True), x)",
    ],
)
def test_prints_do_not_keep_a_program_from_being_measured(
    checker: Checker, plain_lesson: Lesson, how: str
) -> None:
    """What prints is left out of the exported program, since it gives no value."""
    source = f"import jax\n\n\ndef double(x):\n    {how}\n    return x + x\n"
    (verdict,) = Meter(checker).verdicts([run(checker, plain_lesson, source)])

    assert "passed" == verdict.status


def test_a_program_that_calls_python_is_not_measured(
    checker: Checker, plain_lesson: Lesson
) -> None:
    """Host callbacks cannot be exported, so plain Python does not pass."""
    source = (
        "import jax\n\n\ndef double(x):\n"
        "    return jax.experimental.io_callback(lambda x: 2 * x, x, x)\n"
    ).replace("import jax\n", "import jax\nimport jax.experimental\n")
    (verdict,) = Meter(checker).verdicts([run(checker, plain_lesson, source)])

    assert "another process can run" in failed_text(verdict)


def test_a_function_that_compiles_itself_is_measured_inside(
    checker: Checker, tmp_path: Path
) -> None:
    """Such a lesson is about the live function, so nothing of it is exported."""
    lesson = make_lesson(tmp_path / "01_double", {"checks.py": CHECKS + "\nJIT = False\n"})
    tried = run(checker, lesson, RIGHT)

    assert () == measured_checks(tried.reference)
    assert not Meter(checker).is_needed(tried, checker.judge(tried))


def merged(answer: object, *returned: object) -> Outcome:
    """Merge one reported answer with the arrays that its program returned."""
    place = AnswerPlace(CASES, 0)
    exported = ExportedPrograms((), (ProgramUse(place, 0, ()),))
    reported = outcome([CaseFacts("x", True, values.to_tree(answer)), exported])
    arrays = tuple(values.to_array(np.asarray(it), weak=False) for it in returned)
    return with_measured(reported, reported, [Measured(1, place, arrays)])


@pytest.mark.parametrize("seed", [0, 7])
def test_keys_are_compared_by_their_numbers(seed: int) -> None:
    """A program returns the two numbers of a key, which a worker reports as one."""
    keys = jax.random.split(jax.random.key(0), 3)
    found = merged({"keys": keys}, jax.random.key_data(jax.random.split(jax.random.key(seed), 3)))

    assert bool(seed) == any(isinstance(it, Contradicted) for it in found.events)


@pytest.mark.parametrize(
    ("returned", "says"),
    [
        ((np.array([1, 2], np.float32),), ""),
        ((np.array([1, 3], np.float32),), "1 of 2 elements differ"),
        ((np.array([1, 2], np.int32),), "expected float32[2], got int32[2]"),
        ((np.array([1, 2], np.float32), np.float32(0)), "its program returns 2 arrays"),
    ],
)
def test_a_report_is_held_to_what_the_program_returned(
    returned: tuple[object, ...], says: str
) -> None:
    """Values, dtypes and the number of arrays must be those of the program."""
    found = merged(jnp.array([1.0, 2.0]), *returned)
    said = [it.says for it in found.events if isinstance(it, Contradicted)]

    assert [f"the answer for x: {says}"] * bool(says) == said


def test_a_report_without_numbers_gets_those_of_the_program() -> None:
    """A report that leaves the numbers out, as of a large array, does not hide a wrong answer."""
    tree = values.to_tree(jnp.array([1.0, 2.0]))
    (leaf,) = tree.leaves
    assert isinstance(leaf.value, ArrayValue)
    hidden = replace(tree, leaves=(replace(leaf, value=replace(leaf.value, data=None)),))
    place = AnswerPlace(0, 0)
    facts = PropertyFacts(Finite(()), 0.0, (hidden,), inputs=("x",))
    reported = outcome([facts, ExportedPrograms((), (ProgramUse(place, 0, ()),))])
    returned = values.to_array(np.array([np.nan, 2], np.float32), weak=False)

    found = with_measured(reported, reported, [Measured(1, place, (returned,))])

    (merged,) = (it for it in found.events if isinstance(it, PropertyFacts))
    assert find_non_finite(merged.trees[0]) is not None


def test_a_report_of_keys_is_contradicted_by_a_program_that_returns_none() -> None:
    """Two numbers of another type are not a key, whatever the report calls them."""
    found = merged(jax.random.key(0), np.array([True, False]))

    assert any(isinstance(it, Contradicted) for it in found.events)


# ---------------------------------------------------------------- hostile programs


def _with_outcome(trial: Trial, outcome: Outcome) -> Trial:
    return Trial(trial.lesson, trial.source, trial.file, trial.seed, outcome, trial.reference)


def _with_code(trial: Trial, code: bytes) -> Trial:
    """Return a trial all of whose programs have other code."""
    exported = exported_programs(trial.outcome)
    assert exported is not None
    programs = tuple(replace(it, code=code) for it in exported.programs)
    forged = replace(exported, programs=programs)
    events = tuple(forged if it is exported else it for it in trial.outcome.events)
    return _with_outcome(trial, replace(trial.outcome, events=events))


def _code_of(function: Callable[[jax.Array], jax.Array]) -> bytes:
    exported = jax.export.export(jax.jit(function))(jnp.ones(2))
    return bytes(exported.mlir_module_serialized)


@pytest.mark.slow
def test_programs_that_break_the_meter_cost_no_other_submission(
    checker: Checker, tmp_path: Path
) -> None:
    """A program that never ends and one that is not a program fail; the others pass."""
    hasty = {"lesson.toml": INFO + "[needs]\nseconds = 2.0\n"}
    right = run(checker, make_lesson(tmp_path / "01_double", hasty), RIGHT)
    endless = _code_of(lambda x: jax.lax.while_loop(lambda v: v[0] > -1, abs, x))
    garbage = b"ML\xefR" + bytes(range(256))
    trials = [right, _with_code(right, garbage), _with_code(right, endless), right]

    verdicts = Meter(checker).verdicts(trials)

    assert ["passed", "failed", "failed", "passed"] == [it.status for it in verdicts]
    assert "did not end in time" in failed_text(verdicts[2])


def test_a_program_that_calls_out_of_xla_is_refused() -> None:
    """Such a call may name a Python object by its address, and so run anything in the meter."""

    def callback(x: jax.Array) -> jax.Array:
        target = "xla_ffi_python_cpu_callback"
        return jax.ffi.ffi_call(target, jax.ShapeDtypeStruct(x.shape, x.dtype))(
            x, index=np.uint64(0)
        )

    name = jax.export.DisabledSafetyCheck.custom_call("xla_ffi_python_cpu_callback")
    made = jax.export.export(jax.jit(callback), disabled_checks=[name])(jnp.ones(2))
    types = tuple(map(exporting._physical, made.in_avals))
    program = LoweredProgram(
        bytes(made.mlir_module_serialized), made.module_kept_var_idx, types, types
    )

    with pytest.raises(ValueError, match="xla_ffi_python_cpu_callback"):
        meter.load(program)


def test_a_program_as_text_is_refused() -> None:
    """In text, an escape hides that a program calls out of XLA, and XLA would read it."""
    made = jax.export.export(jax.jit(lambda x: 2 * x))(jnp.ones(2))
    types = tuple(map(exporting._physical, made.in_avals))
    text = made.mlir_module().encode()

    with pytest.raises(ValueError, match="not MLIR bytecode"):
        meter.load(LoweredProgram(text, made.module_kept_var_idx, types, types))


def test_a_safe_program_is_loaded_as_it_was() -> None:
    """Linear algebra is a custom call too, one that only computes."""
    square = jnp.array([[2.0, 1.0], [1.0, 3.0]])
    made = jax.export.export(jax.jit(jnp.linalg.inv))(square)
    types = tuple(map(exporting._physical, made.in_avals))
    program = LoweredProgram(
        bytes(made.mlir_module_serialized), made.module_kept_var_idx, types, types
    )

    (found,) = meter.load(program)(square)

    np.testing.assert_array_equal(jnp.linalg.inv(square), found)


def test_a_report_that_cannot_be_judged_costs_no_other(
    checker: Checker, plain_lesson: Lesson
) -> None:
    """A bug in judging one report leaves that submission ungraded, and grades the others."""
    tried = run(checker, plain_lesson, RIGHT)
    odd = Trial(tried.lesson, "odd", tried.file, tried.seed, tried.outcome, tried.reference)

    class Measuring(Meter):
        def verdicts(self, trials: Sequence[Trial]) -> list[Verdict]:
            if odd in trials:
                raise IndexError("tuple index out of range")
            return [self.checker.judge(it) for it in trials]

    names = {"ann": tried, "bob": odd, "eve": tried}
    handed = [Candidate(SubmittedFile(it, "double", it, ""), names[it]) for it in names]

    grades = confirm(Measuring(checker), handed)

    assert ["passed", "not_graded", "passed"] == [it.status for it in grades]
    assert "tuple index out of range" in grades[1].headline


def test_the_place_of_a_missing_program_says_why(checker: Checker, plain_lesson: Lesson) -> None:
    """The solution's programs decide what must be measured; a submission's reasons are reported."""
    exported = exported_programs(run(checker, plain_lesson, RIGHT).reference)

    assert isinstance(exported, ExportedPrograms)
    assert [AnswerPlace(CASES, n) for n in range(3)] == [use.place for use in exported.uses]
