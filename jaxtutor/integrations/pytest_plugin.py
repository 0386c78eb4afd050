"""A pytest plug-in: `pytest --jaxtutor` adds a diagnosis to the report of a failing test.

Without the option nothing is imported but this module. With it, a test that fails gets a section
with the cause, and a test that does something silently wrong (a key used twice, a retrace in a
loop) a warning. `--jaxtutor-strict` makes such a test fail.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Generator
from contextlib import ExitStack, suppress
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from jaxtutor.diagnosis import Diagnosis, Watch

NAME = "jaxtutor"


class JaxFinding(UserWarning):
    """A mistake that raised nothing, seen while a test ran."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the two options."""
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


def pytest_configure(config: pytest.Config) -> None:
    """Register the hooks that do the work, if an option asks for them."""
    strict = config.getoption("jaxtutor_strict", default=False)
    if strict or config.getoption("jaxtutor", default=False):
        config.pluginmanager.register(DiagnosingPlugin(strict), "jaxtutor-diagnosis")


class DiagnosingPlugin:
    """Diagnoses failing tests, and reports each finding once."""

    def __init__(self, strict: bool) -> None:
        self.strict = strict
        self._reported: set[tuple[str, str, int]] = set()

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
        self, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Add the cause of a failure to its report."""
        report = yield
        if report.failed and call.excinfo is not None and "jax" in sys.modules:
            text = _diagnose(call.excinfo.value)
            if text:
                report.sections.append((NAME, text))
        return report

    def _watch(self, item: pytest.Item, stack: ExitStack) -> Watch | None:
        """Watch only where JAX is imported already: importing it could change what a test does."""
        if "jax" not in sys.modules:
            return None
        from jaxtutor.diagnosis import watch

        return stack.enter_context(watch([str(item.path)]))

    def _report(self, item: pytest.Item, findings: tuple[Diagnosis, ...]) -> None:
        """Warn of the findings that no earlier test had. If strict, fail this test instead."""
        new = [found for found in findings if self._is_new(found)]
        for found in () if self.strict else new:
            warnings.warn_explicit(
                JaxFinding(f"{item.nodeid}\n{found.text()}"), None, found.file, found.line or 1
            )
        if self.strict and new:
            pytest.fail("\n\n".join(found.text() for found in new), pytrace=False)

    def _is_new(self, found: Diagnosis) -> bool:
        if self.strict:
            return True  # each test is judged alone, in whatever order the tests run
        key = (found.cause, found.file, found.line)
        is_new = key not in self._reported
        self._reported.add(key)
        return is_new


def _diagnose(error: BaseException) -> str:
    # A report must not be lost because it could not be explained.
    with suppress(Exception):
        from jaxtutor.diagnosis import diagnose

        found = diagnose(error)
        if found is not None and found.cause:
            return found.text()
    return ""
