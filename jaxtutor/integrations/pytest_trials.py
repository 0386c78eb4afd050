"""Tries the suggested edits of failing tests at the end of a pytest session.

A test that failed is run again in another process, first as it is and then with the edit, and its
report shows the result. The options of this session are not passed on, because some of them
write files, such as those of coverage; a test that needs them does not fail in the same way again,
so its edit stays untried.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest

from jaxtutor.core.reporting.diagnosis_text import NOT_TRIED, fix_text
from jaxtutor.integrations.trials import NOT_REPEATED, EditTrial, title, try_edit

MOST_TRIED = 3
"""Mistakes whose edits are tried. Many failing tests often have one cause, and a trial is slow."""

Mistake = tuple[str, str, int, str]
"""A cause, its file and line, and the suggested edit."""


class TryingPlugin:
    """Collects the failing tests of each mistake, and tries one of them."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._reports: dict[Mistake, list[pytest.TestReport]] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep the reports that have a suggested edit."""
        mistake = getattr(report, "jaxtutor", None)
        if mistake is not None and mistake[3]:
            self._reports.setdefault(tuple(mistake), []).append(report)

    def pytest_sessionfinish(self) -> None:
        """Try the edits, and write the results into the reports, which are printed after this."""
        for mistake, reports in list(self._reports.items())[:MOST_TRIED]:
            trial = self._try(mistake[0], reports[0].nodeid)
            for report in reports:
                report.sections = [
                    (name, _amended(text, mistake[3], trial)) for name, text in report.sections
                ]

    def _try(self, cause: str, test: str) -> EditTrial:
        config = self._config
        with tempfile.TemporaryDirectory(prefix="jaxtutor-") as folder:
            program = ["-p", "no:xdist", "-o", "addopts=", "-o", f"cache_dir={folder}"]
            program += ["--rootdir", str(config.rootpath)]
            program += ["-c", str(config.inipath)] if config.inipath else []
            program.append(f"{config.rootpath}/{test}")  # an identifier in it may hold anything
            return try_edit(cause, ["--", "pytest", *program], Path(config.invocation_params.dir))


def _amended(text: str, fix: str, trial: EditTrial) -> str:
    """Replace the untried edit in a section by the result of its trial."""
    if trial.status == "not tried":
        words = NOT_REPEATED.format(program="the test")
        return text.replace(NOT_TRIED, f"{words}\n\n{NOT_TRIED}")
    words = title(trial, "the test passes in another process")
    shown = fix_text(trial.fix, words) if trial.fix else words
    return text.replace(fix_text(fix, NOT_TRIED), shown)
