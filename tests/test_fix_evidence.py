"""Tests what a fix is measured by: results of a program that it does not print or keep itself."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent

import pytest

from forking import forking_runner
from jaxtutor.content.cause_pages import Library
from jaxtutor.core.data.diagnoses import Edit, Fix
from jaxtutor.core.data.positions import Span
from jaxtutor.core.diagnosis.editing.draft import Patch
from jaxtutor.core.diagnosis.engine.rules import Diagnosed
from jaxtutor.processes.runner import Runner
from jaxtutor.scripts import fix_trials
from jaxtutor.scripts.script_check import diagnose_script
from sampling import sampled

FUNCTION = """\
import jax
import jax.numpy as jnp

@jax.jit
def scale(x):
    if x.sum() > 0:
        return x * 2
    return x * 3

"""
PLACES = {
    "a variable of main": """
        def main():
            x = jnp.arange(3.0)
            y = scale(-x)
            print("done")

        if __name__ == "__main__":
            main()
        """,
    "a variable that depends on it": """
        def main():
            total = 0.0
            for n in range(3):
                y = scale(-jnp.ones(2))
                total = total + y.sum()

        main()
        """,
    "what main returns": """
        def main():
            x = jnp.arange(3.0)
            return scale(-x)

        main()
        """,
    "an attribute that a method assigns": """
        class Model:
            def __init__(self):
                self.state = None

            def run(self, x):
                self.state = scale(-x)

        def main(model):
            model.run(jnp.arange(3.0))

        [main(Model())].clear()
        """,
    "what a function returns to a decorator": """
        def command(function):
            return lambda: [function()].clear()

        @command
        def main():
            return scale(-jnp.arange(3.0))

        main()
        """,
    "an expression": """
        x = jnp.arange(3.0)
        scale(-x)
        """,
    "an expression in main": """
        def main():
            x = jnp.arange(3.0)
            scale(-x)

        main()
        """,
}
NOTHING = {
    "a variable from before": """
        x = jnp.arange(3.0)
        jax.block_until_ready([scale(-x)]).clear()
        """,
    "a text": """
        def main():
            x = jnp.arange(3.0)
            print("start 1")
            [scale(-x)].clear()
            print("done 2")

        main()
        """,
    "a variable of its own": """
        def show(x):
            [scale(-x)].clear()

        class Run:
            def __init__(self):
                show(jnp.ones(2))

        def main():
            run = Run()
            size = 3

        main()
        """,
}
MAPPED = """\
import jax
import jax.numpy as jnp

def scale(x):
    if x > 0:
        return x * 2
    return x * 3

print(jax.vmap(scale)(jnp.arange(4.0) - 2))
"""
RIGHT = (
    "    if x.sum() > 0:\n        return x * 2\n    return x * 3\n",
    "    return jnp.where(x.sum() > 0, x * 2, x * 3)\n",
)
WRONG = ("x.sum() > 0", "True")


@pytest.fixture(scope="module")
def runner() -> Iterator[Runner]:
    """Return a runner for all tests."""
    with forking_runner() as made:
        yield made


def try_edit(
    runner: Runner,
    file: Path,
    source: str,
    edits: tuple[str, str],
    monkeypatch: pytest.MonkeyPatch,
    certain: bool = False,
) -> Fix | None:
    """Diagnose a program and try one edit of it."""
    file.write_text(source)

    def propose(diagnosed: Diagnosed) -> Iterator[Patch]:
        module = getattr(diagnosed.match, "module", None)
        text = module.source if module is not None else source
        if edits[0] in text:
            whole = Span(1, 0, text.count("\n") + 1, 0)
            yield Patch(str(file), (Edit(whole, text.replace(*edits)),), certain)

    monkeypatch.setattr(fix_trials, "propose", propose)
    made = diagnose_script(runner, Library(), file, device="cpu", captured=True)
    made = fix_trials.fix_script(made, runner, Library(), "cpu")
    assert made.diagnosis is not None
    return made.diagnosis.fix


@pytest.mark.parametrize("name", sampled(PLACES, 3))
def test_a_result_in_a_function_verifies_a_fix(
    name: str, runner: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A program that prints no result has it in `main`, or in a statement that drops it."""
    source = FUNCTION + dedent(PLACES[name])
    fix = try_edit(runner, tmp_path / "mine.py", source, RIGHT, monkeypatch)
    assert fix is not None
    assert fix.verified


@pytest.mark.parametrize("name", sampled(PLACES, 3))
def test_an_edit_with_another_result_is_not_verified(
    name: str, runner: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An edit that runs and gives another result is not called verified."""
    source = FUNCTION + dedent(PLACES[name])
    fix = try_edit(runner, tmp_path / "mine.py", source, WRONG, monkeypatch)
    assert fix is None or not fix.verified


@pytest.mark.parametrize("edits", [RIGHT, WRONG])
@pytest.mark.parametrize("name", sampled(NOTHING, 2))
def test_what_does_not_depend_on_the_failure_proves_nothing(
    name: str,
    edits: tuple[str, str],
    runner: Runner,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Variables from before the failure and fixed texts are the same with any edit."""
    source = FUNCTION + dedent(NOTHING[name])
    fix = try_edit(runner, tmp_path / "mine.py", source, edits, monkeypatch)
    assert fix is not None
    assert (False, False) == (fix.verified, fix.compared)


@pytest.mark.parametrize(
    ("edits", "is_right"),
    [
        (
            (
                "    if x > 0:\n        return x * 2\n    return x * 3\n",
                "    return jnp.where(x > 0, x * 2, x * 3)\n",
            ),
            True,
        ),
        (("x > 0", "True"), False),
    ],
)
def test_a_function_under_vmap_is_compared_with_a_loop(
    edits: tuple[str, str],
    is_right: bool,
    runner: Runner,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What vmap traces also without jit is compared with one call for each example."""
    fix = try_edit(runner, tmp_path / "mine.py", MAPPED, edits, monkeypatch)
    assert is_right == (fix is not None and fix.verified)


TIMED = """
def main():
    for n in range(2):
        start = time.perf_counter_ns()
        y = [scale(-jnp.arange(3.0))]
        print(f"{n}: {y[0].sum()} in {(time.perf_counter_ns() - start) / 1e3} us")
        del y

main()
"""
DRAWN = """
def main():
    [scale(jnp.asarray(-np.random.default_rng().random(3)))].clear()
    print("drawn:", np.random.default_rng().random())

main()
"""


@pytest.mark.parametrize(
    ("program", "edits", "is_right"),
    sampled(
        [(TIMED, RIGHT, True), (TIMED, WRONG, False), (DRAWN, RIGHT, False), (DRAWN, WRONG, False)],
        2,
    ),
)
def test_what_varies_from_run_to_run_is_not_compared(
    program: str,
    edits: tuple[str, str],
    is_right: bool,
    runner: Runner,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A time is not a result. A program whose every number varies has no other."""
    source = "import time\nimport numpy as np\n" + FUNCTION + program
    fix = try_edit(runner, tmp_path / "mine.py", source, edits, monkeypatch)
    assert is_right == (fix is not None and fix.verified)


SLOW = """
if jax.config.jax_disable_jit:
    time.sleep(15)
print(scale(-jnp.arange(3.0)))
"""


def test_an_edit_with_one_meaning_does_not_wait_for_a_slow_run(
    runner: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The run without jit takes long, and would only confirm the edit."""
    monkeypatch.setattr(fix_trials, "CERTAIN_SECONDS", 0.1)
    source = "import time\n" + FUNCTION + SLOW
    fix = try_edit(runner, tmp_path / "mine.py", source, RIGHT, monkeypatch, certain=True)
    assert fix is not None
    assert (True, False) == (fix.verified, fix.compared)


CHOSEN = """\
import jax
import jax.numpy as jnp

@jax.jit
def chosen(x):
    {body}

print(chosen(jnp.array({values})))
"""


@pytest.mark.parametrize(
    ("body", "values"),
    [
        ("return x[jnp.where(x > 0)[0]].sum()", "[0.0, 2.0, 3.0]"),  # reads x[0], which is 0
        ("return x[jnp.where(x > 0)[0]].sum()", "[1.0, 2.0, 3.0]"),  # has hits only
        ("return jnp.unique(x)", "[1.0, 2.0, 3.0]"),
        ("n = x.shape[0]; return jnp.bincount(x)[:n]", "[0, 2, 1]"),  # as many bins as rows
        ("return jnp.unique(x).size", "[0, 1, 1]"),  # the number of values is their sum
        ("n = jnp.flatnonzero(x); return jnp.zeros(6).at[n].set(1.0)", "[1.0, 2.0, 0.0]"),
        ("n = jnp.flatnonzero(x); return x.at[n].set(x[n])", "[1.0, 0.0, 2.0]"),
    ],
)
def test_places_that_fill_up_a_result_are_not_verified(
    body: str, values: str, runner: Runner, tmp_path: Path
) -> None:
    """A size is right for all data only if what fills up the result cannot be read."""
    file = tmp_path / "mine.py"
    file.write_text(CHOSEN.format(body=body, values=values))
    library = Library()
    made = diagnose_script(runner, library, file, device="cpu", captured=True)
    made = fix_trials.fix_script(made, runner, library, "cpu")
    assert made.diagnosis is not None
    assert made.diagnosis.cause == "missing-static-size"
    assert made.diagnosis.fix is None or not made.diagnosis.fix.verified
