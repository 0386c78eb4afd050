"""A pytest plug-in: `pytest --jaxtutor` adds a diagnosis to the report of a failing test.

Without the option nothing is imported but this module. With it, a test that fails gets a section
with the cause, and a test that does something silently wrong (a key used twice, a retrace in a
loop) a warning. `--jaxtutor-strict` makes such a test fail. `--jaxtutor-fix` tries the suggested
edits at the end, by running failing tests again in another process.
"""

from __future__ import annotations

import gc
import sys
import warnings
from collections.abc import Generator
from contextlib import ExitStack, suppress
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from jaxtutor.diagnosis import Diagnosis, Watch

NAME = "jaxtutor"
OPTIONS = ("jaxtutor", "jaxtutor_strict", "jaxtutor_fix")


ALWAYS = "an exception is always reported"


class JaxFinding(UserWarning):
    """A mistake that raised nothing, seen while a test ran."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options and the settings."""
    group = parser.getgroup(NAME, "diagnosis of JAX mistakes")
    group.addoption(
        "--jaxtutor",
        action="store_true",
        help="name the cause of failures in JAX programs, and warn of silent mistakes",
    )
    group.addoption(
        "--jaxtutor-strict",
        action="store_true",
        help="the same, but a silent mistake fails its test",
    )
    group.addoption(
        "--jaxtutor-fix",
        action="store_true",
        help="also try the suggested edits: failing tests run again, in another process",
    )
    parser.addini("jaxtutor_ignore", "causes that jaxtutor does not report", "args", default=[])
    parser.addini("jaxtutor_select", "the only causes that jaxtutor reports", "args", default=[])


def pytest_configure(config: pytest.Config) -> None:
    """Register the hooks that do the work, if an option asks for them."""
    says = "jaxtutor(ignore): causes that jaxtutor does not report for this test"
    config.addinivalue_line("markers", says)
    plain, strict, fix = (config.getoption(name, default=False) for name in OPTIONS)
    if not (plain or strict or fix):
        return
    config.pluginmanager.register(DiagnosingPlugin(config, strict, not fix), "jaxtutor-diagnosis")
    if fix and not hasattr(config, "workerinput"):  # xdist's workers do not see all reports
        from jaxtutor.integrations.pytest_trials import TryingPlugin

        config.pluginmanager.register(TryingPlugin(config), "jaxtutor-trials")


class DiagnosingPlugin:
    """Diagnoses failing tests, and reports each finding once."""

    def __init__(self, config: pytest.Config, strict: bool, mentions_trials: bool) -> None:
        self.strict = strict
        self._select: list[str] = config.getini("jaxtutor_select")
        self._ignore: list[str] = config.getini("jaxtutor_ignore")
        self._try_with = "pytest --jaxtutor-fix" if mentions_trials else ""
        from jaxtutor.core.diagnosis.engine.reported import Reported

        self._reported = Reported()
        self._has_frozen = False
        self._check(config)

    def _check(self, config: pytest.Config) -> None:
        """Raise UsageError if a setting cannot be used."""
        from jaxtutor.diagnosis import check_causes, check_settings

        try:
            check_causes((*self._select, *self._ignore))
            check_settings(config.rootpath)
        except ValueError as error:
            raise pytest.UsageError(str(error)) from None

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Raise UsageError if a marker names no cause."""
        from jaxtutor.diagnosis import check_causes

        for item in items:
            try:
                check_causes(_marked(item))
            except ValueError as error:
                raise pytest.UsageError(f"{item.nodeid}: {error}") from None

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Generator[None, object, object]:
        """Watch a test while it runs, and report what it did silently wrong."""
        with ExitStack() as stack:
            seen = self._watch(item, stack)
            result = yield
        self._report(item, seen.findings if seen else ())
        return result

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Add the cause of a failure to its report."""
        report = yield
        if report.failed and call.excinfo is not None and "jax" in sys.modules:
            found = _diagnose(call.excinfo.value)
            if found is not None:
                text = found.text(try_with=self._try_with)
                if found.cause in (*self._ignore, *_marked(item)):
                    text += f"\n\n{found.cause} is ignored here, but {ALWAYS}."
                report.sections.append((NAME, text))
                # Plain data, which xdist sends to the process that writes the report.
                mistake = [found.cause, found.file, found.line, found.fix]
                vars(report).update(jaxtutor=mistake)
        return report

    def _watch(self, item: pytest.Item, stack: ExitStack) -> Watch | None:
        """Watch only where JAX is imported already: importing it could change what a test does."""
        if "jax" not in sys.modules:
            return None
        from jaxtutor.diagnosis import keep_frames, watch

        keep_frames()
        self._shorten_scans()
        ignore = [*self._ignore, *_marked(item)]
        files = [str(item.path)]
        return stack.enter_context(watch(files, select=self._select, ignore=ignore))

    def _shorten_scans(self) -> None:
        """Leave what exists before the first test out of the search for leaked tracers.

        The search visits every object after each test. Without this it takes most of the time.
        """
        if not gc.get_freeze_count():  # frozen here before, or by the tests themselves
            self._has_frozen = True
            gc.collect()
            gc.freeze()

    def pytest_unconfigure(self) -> None:
        """Let Python collect the objects of before the first test again."""
        if self._has_frozen:
            gc.unfreeze()

    def _report(self, item: pytest.Item, findings: tuple[Diagnosis, ...]) -> None:
        """Warn of the findings that no earlier test had. If strict, fail this test instead."""
        named = [(found, _nodeid(item, found)) for found in findings]
        new = [(found, nodeid) for found, nodeid in named if nodeid and self._is_new(found)]
        if self.strict and new:
            pytest.fail("\n\n".join(found.text() for found, _ in new), pytrace=False)
        for found, nodeid in new:
            _warn(item, found, nodeid)

    def _is_new(self, found: Diagnosis) -> bool:
        # If strict, each test is judged alone, in whatever order the tests run.
        return self.strict or self._reported.is_new(found)


def _marked(item: pytest.Item) -> list[str]:
    """Return the causes that the markers of a test ignore."""
    return [
        cause
        for mark in item.iter_markers(NAME)
        for given in [mark.kwargs.get("ignore", ())]
        for cause in ([given] if isinstance(given, str) else given)
    ]


def _nodeid(item: pytest.Item, found: Diagnosis) -> str:
    """Return what a finding is listed under; empty if it belongs to another test.

    That is the test in which it was observed. What a text shows by itself belongs to the test whose
    body it is in, and otherwise to the file.
    """
    module = item.getparent(pytest.Module)
    if found.is_observed or module is None:
        return item.nodeid
    if found.file != str(item.path):
        return found.file
    if found.function == _qualified_name(item):
        return item.nodeid
    is_test = bool(found.function) and module.funcnamefilter(found.function.rpartition(".")[2])
    return "" if is_test else module.nodeid


def _qualified_name(item: pytest.Item) -> str:
    """Return the name of a test's function, after that of its class."""
    holder, name = getattr(item, "cls", None), getattr(item, "originalname", None) or item.name
    return f"{holder.__name__}.{name}" if holder is not None else name


def _warn(item: pytest.Item, found: Diagnosis, nodeid: str) -> None:
    """Warn as the filters of the test say, and have the warning listed under a node."""
    with warnings.catch_warnings(record=True) as caught:
        message = JaxFinding(f"{nodeid}\n{found.text()}")
        warnings.warn_explicit(message, None, found.file, found.line or 1)
    for warning in caught:
        facts = {"warning_message": warning, "nodeid": nodeid, "when": "runtest", "location": None}
        item.ihook.pytest_warning_recorded.call_historic(kwargs=facts)


def _diagnose(error: BaseException) -> Diagnosis | None:
    # A report must not be lost because it could not be explained.
    with suppress(Exception):
        from jaxtutor.diagnosis import diagnose

        found = diagnose(error)
        if found is not None and found.says_more:
            return found
    return None
