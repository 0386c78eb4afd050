"""Tests a short version of the trials of the store, with the code of `./dev trials store`."""

from __future__ import annotations

from pathlib import Path

import pytest

from jaxtutor.commands import diagnose
from jaxtutor.core.data.diagnoses import Diagnosis, Fix
from jaxtutor.errors import UsageError
from jaxtutor.scripts.programs import Program
from jaxtutor.scripts.script_diagnosis import ScriptDiagnosis
from trials import Share, store
from trials.built_in import learner_file
from trials.store import clocks, damage, learner, versions
from trials.store.apart import find_compiler, run_apart
from trials.store.clocks import TIMES


@pytest.fixture(scope="module")
def furnished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a home in which half of a course is done."""
    home = tmp_path_factory.mktemp("trials") / "furnished"
    damage.furnish(home)
    return home


def test_a_killed_session_loses_nothing() -> None:
    """After a kill, acknowledged events are in the store and the next check works."""
    (figure,) = run_apart("kills", "kills", Share(0.004), 3)
    assert figure.holds, figure


@pytest.mark.parametrize("way", damage.SPECIAL, ids=lambda way: way.__name__)
def test_whatever_is_where_progress_was_is_met(furnished: Path, way: damage.Spoil) -> None:
    """Anything in place of the progress file is reported or refused, without silent loss."""
    figure = damage.try_ways("", furnished, {0: way}, 1)
    assert figure.holds, figure


@pytest.mark.parametrize("fixture", versions.VERSIONS, ids=lambda path: path.stem)
def test_an_older_file_migrates_whole(tmp_path: Path, fixture: Path) -> None:
    """After a migration, every row of the older file still exists."""
    before = versions.lay_down(tmp_path, fixture)

    assert [] == versions.check_migrated(tmp_path, before)
    assert len(before.rows["attempt"]) == 6


def test_a_clock_that_jumps_harms_nothing() -> None:
    """After the clock jumps, attempts keep their order, reviews end, and every page is drawn."""
    assert [] == clocks.jump("Pacific/Kiritimati", TIMES["9999"], TIMES["the first year"])


def test_the_trials_can_fail(furnished: Path) -> None:
    """A trial that loses an event reports it."""
    before = learner.look(furnished)
    mine = furnished / "workspace" / learner_file("safe-clip-positive")
    text = mine.read_bytes()
    mine.write_bytes(text[:20])
    lost = learner.losses(before, furnished)
    mine.write_bytes(text)

    assert 2 == len(lost), lost
    assert [] == learner.losses(before, furnished)


@pytest.mark.slow
@pytest.mark.skipif(find_compiler() is None, reason="it takes Linux and a C compiler")
def test_the_trials_hold() -> None:
    """All trials hold at a small size."""
    broken = [it for it in store.run(Share(0.02)) if it.tried and not it.holds]
    assert not broken, broken


# ---------------------------------------------------------------- a learner's own script


@pytest.fixture
def made(tmp_path: Path) -> ScriptDiagnosis:
    """Return a script that was run, and a fix for it."""
    script = tmp_path / "train.py"
    script.write_text("x = 1\n")
    fix = Fix("", True, "x = 2\n", {str(script): "x = 2\n"})
    found = Diagnosis(None, "", None, str(script), None, "", "", "", fix=fix)
    return ScriptDiagnosis(
        "found",
        Program("script", str(script), script, "x = 1\n"),
        script,
        "",
        "",
        0.0,
        findings=(found,),
        sources={str(script): "x = 1\n"},
    )


def test_a_fix_is_not_written_over_what_was_saved_meanwhile(made: ScriptDiagnosis) -> None:
    """A fix does not overwrite a script that was saved while it ran."""
    made.file.write_text("x = 3\n")
    with learner.opened(made.file.parent) as app, pytest.raises(UsageError, match="changed while"):
        diagnose.apply_fix(app, made)

    assert "x = 3\n" == made.file.read_text()


def test_a_fix_that_was_interrupted_can_be_written(made: ScriptDiagnosis) -> None:
    """An interrupted fix can be written again over an identical copy, but not over another file."""
    copy = made.file.with_name("train.py.orig")
    with learner.opened(made.file.parent) as app:
        copy.write_text("other")
        with pytest.raises(UsageError, match="already exists"):
            diagnose.apply_fix(app, made)
        copy.write_text("x = 1\n")
        diagnose.apply_fix(app, made)

    assert ("x = 1\n", "x = 2\n") == (copy.read_text(), made.file.read_text())
