"""Tests the pytest plug-in with pytest's own `pytester`."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

pytest_plugins = ["pytester"]

FAILING = """
    import jax
    import jax.numpy as jnp

    def test_keep():
        assert jax.jit(lambda x: x[x > 0])(jnp.arange(3.0)).shape == (2,)
"""
REUSED = """
    import jax

    def draw():
        key = jax.random.key(0)
        return jax.random.normal(key) + jax.random.uniform(key)

    def test_first():
        draw()

    def test_second():
        draw()
"""


@pytest.fixture(autouse=True)
def _in_a_process(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JAX_PLATFORMS", "cpu")


def run(pytester: pytest.Pytester, *options: str) -> pytest.RunResult:
    return pytester.runpytest_subprocess(*options)


def test_a_failing_test_gets_its_cause(pytester: pytest.Pytester) -> None:
    """The report of a failure gets a section with cause and position, after the traceback."""
    pytester.makepyfile(FAILING)
    result = run(pytester, "--jaxtutor")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*NonConcreteBooleanIndexError*", "* jaxtutor *"])
    result.stdout.fnmatch_lines(["Cause: boolean-mask-index *"])


def test_without_the_option_nothing_is_added(pytester: pytest.Pytester) -> None:
    """A failure is reported as by pytest alone."""
    pytester.makepyfile(FAILING)
    assert "Cause:" not in run(pytester).stdout.str()


def test_a_finding_is_one_warning(pytester: pytest.Pytester) -> None:
    """What two tests do wrong in the same place is warned of once, and both pass."""
    pytester.makepyfile(REUSED)
    result = run(pytester, "--jaxtutor")
    result.assert_outcomes(passed=2, warnings=1)
    result.stdout.fnmatch_lines(["*JaxFinding*test_first*"])


DROPPED = """
    import warnings
    import jax.numpy as jnp
    import pytest

    @pytest.fixture
    def filled():
        x = jnp.zeros(3)
        x.at[1].set(1.0)
        return x

    def test_first(filled):
        assert filled.shape == (3,)

    class TestFill:
        @pytest.mark.parametrize("value", [1.0, 2.0])
        def test_second(self, value):
            x = jnp.zeros(3)
            x.at[0].set(value)
            assert x.shape == (3,)
"""


def test_a_finding_is_listed_under_its_test(pytester: pytest.Pytester) -> None:
    """What a text shows is listed under the test that contains it, and otherwise under the file."""
    pytester.makepyfile(test_fill=DROPPED)
    result = run(pytester, "--jaxtutor")
    result.assert_outcomes(passed=3, warnings=2)
    text = result.stdout.str()
    assert re.search(r"^test_fill.py\n.*test_fill.py:8: JaxFinding: test_fill.py$", text, re.M)
    test = re.escape("test_fill.py::TestFill::test_second[1.0]")
    assert re.search(rf"^{test}\n.*test_fill.py:18: JaxFinding: {test}$", text, re.M)


def test_strictly_a_finding_of_one_test_fails_that_test(pytester: pytest.Pytester) -> None:
    """A test does not fail for what only another one contains; all fail for what the file does."""
    dropped = DROPPED.replace("        x.at[1].set(1.0)\n", "")
    pytester.makepyfile(test_fill=dropped)
    run(pytester, "--jaxtutor-strict").assert_outcomes(passed=1, failed=2)


def test_findings_obey_the_filters_of_warnings(pytester: pytest.Pytester) -> None:
    """A finding that a filter ignores is not listed."""
    pytester.makepyfile(REUSED)
    ignored = "ignore::jaxtutor.integrations.pytest_plugin.JaxFinding"
    run(pytester, "--jaxtutor", "-W", ignored).assert_outcomes(passed=2, warnings=0)


WARNING = """
    import jax.numpy as jnp

    def cast():
        return jnp.asarray([1.0], dtype="float64")
"""


def test_filters_of_a_module_apply_to_its_warnings(pytester: pytest.Pytester) -> None:
    """A warning keeps its module, so a filter for that module acts as without the option."""
    pytester.makepyfile(
        casts=WARNING, test_cast="from casts import cast\n\ndef test_cast():\n    cast()\n"
    )
    for options in ([], ["--jaxtutor"]):
        result = run(pytester, "-W", "error:Explicitly requested:UserWarning:casts", *options)
        result.assert_outcomes(failed=1)


def test_strictly_a_finding_fails_each_test(pytester: pytest.Pytester) -> None:
    """With --jaxtutor-strict both tests fail, whichever runs first."""
    pytester.makepyfile(REUSED)
    result = run(pytester, "--jaxtutor-strict")
    result.assert_outcomes(failed=2)
    result.stdout.fnmatch_lines(["Cause: prng-key-reuse *"])


KEPT = REUSED.replace(
    "        draw()\n\n    def test_second", "        draw()\n\n    {mark}def test_second"
)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("mark", "ini", "table", "comment", "failed"),
    [
        ('@pytest.mark.jaxtutor(ignore=["prng-key-reuse"])\n    ', "", "", "", 1),
        ("", "jaxtutor_ignore = prng-key-reuse", "", "", 0),
        ("", "jaxtutor_select = at-set-result-dropped", "", "", 0),
        ("", "", 'ignore = ["prng-key-reuse"]', "", 0),
        ("", "", "", "  # jaxtutor: ignore[prng-key-reuse]", 0),
    ],
)
def test_what_is_allowed_is_not_reported(
    mark: str, ini: str, table: str, comment: str, failed: int, pytester: pytest.Pytester
) -> None:
    """A marker allows a finding in one test; settings and comments in all, also strictly."""
    text = KEPT.format(mark=mark).replace("uniform(key)", f"uniform(key){comment}")
    pytester.makepyfile("    import pytest\n" + text)
    pytester.makeini(f"[pytest]\n{ini}\n")
    pytester.makepyprojecttoml(f"[tool.jaxtutor]\n{table}\n")
    result = run(pytester, "--jaxtutor-strict", "--strict-markers")
    result.assert_outcomes(passed=2 - failed, failed=failed)


@pytest.mark.slow
def test_unknown_causes_are_an_error(pytester: pytest.Pytester) -> None:
    """The nearest is named, for settings and markers, and no test runs."""
    mark = "@pytest.mark.jaxtutor(ignore=['prng-key-resue'])\n    "
    pytester.makepyfile("    import pytest\n" + KEPT.format(mark=mark))
    for options in ([], ["-o", "jaxtutor_ignore=prng-key-resue"]):
        result = run(pytester, "--jaxtutor", *options)
        assert pytest.ExitCode.USAGE_ERROR == result.ret
        result.stderr.fnmatch_lines(["*Did you mean `prng-key-reuse`*"])


@pytest.mark.slow
def test_an_exception_is_reported_although_it_is_ignored(pytester: pytest.Pytester) -> None:
    """The report says that the setting hides nothing."""
    pytester.makepyfile(FAILING)
    result = run(pytester, "--jaxtutor", "-o", "jaxtutor_ignore=boolean-mask-index")
    result.stdout.fnmatch_lines(["Cause: boolean-mask-index *", "*but an exception is always*"])


def test_a_failure_is_not_reported_as_a_finding_too(pytester: pytest.Pytester) -> None:
    """A test that raises has its own report, and no further failure hides it."""
    pytester.makepyfile(REUSED.replace("        draw()\n", "        draw()\n        assert 0\n"))
    result = run(pytester, "--jaxtutor-strict")
    result.assert_outcomes(failed=2)
    result.stdout.fnmatch_lines(["*assert 0*"])


def test_reports_travel_between_processes(pytester: pytest.Pytester) -> None:
    """Under xdist, the section and the warning arrive from the worker processes."""
    pytester.makepyfile(test_a=FAILING, test_b=REUSED)
    result = run(pytester, "--jaxtutor", "-n", "2", "--dist", "loadfile")
    result.assert_outcomes(failed=1, passed=2, warnings=1)
    result.stdout.fnmatch_lines(["Cause: boolean-mask-index *"])


BRANCH = """
    import jax
    import jax.numpy as jnp

    @jax.jit
    def keep(x):
        if x.sum() > 0:
            return x
        return -x

    def test_first():
        assert keep(jnp.arange(3.0)).shape == (3,)

    def test_second():
        assert keep(jnp.ones(2)).shape == (2,)
"""


def test_an_edit_is_tried_if_asked_for(pytester: pytest.Pytester) -> None:
    """With --jaxtutor-fix each report of one mistake has the verified fix, also under xdist."""
    file = pytester.makepyfile(BRANCH)
    source = file.read_text()
    result = run(pytester, "--jaxtutor-fix", "-n", "2")
    result.assert_outcomes(failed=2)
    text = result.stdout.str()
    assert 2 == text.count("Verified fix: the test passes in another process with it.")
    assert 2 == text.count("  +    return jnp.where(x.sum() > 0, x, -x)")
    assert "not tried" not in text
    assert source == file.read_text()


def test_an_edit_stays_untried_if_the_failure_does_not_come_back(
    pytester: pytest.Pytester,
) -> None:
    """A test that fails only once keeps its edit, and the report says that it was not tried."""
    pytester.makepyfile(
        model=BRANCH.partition("    def test_first")[0],
        test_model="""
            import pathlib
            import jax.numpy as jnp
            from model import keep

            def test_once():
                if not pathlib.Path("flag").exists():
                    pathlib.Path("flag").touch()
                    keep(jnp.ones(2))
        """,
    )
    result = run(pytester, "--jaxtutor-fix")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        ["The edit was not tried: the test did not fail *", "Suggested edit, not tried:"]
    )


def test_a_suite_without_jax_never_imports_it(pytester: pytest.Pytester) -> None:
    """JAX is not imported for tests that do not use it, even with the option."""
    pytester.makepyfile("""
        import sys

        def test_absent():
            assert "jax" not in sys.modules
    """)
    run(pytester, "--jaxtutor").assert_outcomes(passed=1)


def test_without_the_option_the_plugin_imports_nothing_else(tmp_path: Path) -> None:
    """The entry point is loaded by every pytest of the environment, so it must stay small."""
    program = (
        "import sys, pytest, jaxtutor.integrations.pytest_plugin\n"
        "print(sorted(m for m in sys.modules if m.startswith('jaxtutor.')))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    expected = ["jaxtutor.integrations", "jaxtutor.integrations.pytest_plugin"]
    assert f"{expected}\n" == done.stdout
