"""Tests of files that are imported in the place of a module of their name."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

import pytest

from jaxtutor.worker.failures import hidden_modules


@pytest.fixture(params=["stars_in_two_folders", "jaxtutor"])
def module(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Import a module that is also in another folder of the path, and return its name."""
    name: str = request.param
    for folder in ("installed", "here"):
        (tmp_path / folder / name).mkdir(parents=True)
        (tmp_path / folder / name / "__init__.py").touch()
        monkeypatch.syspath_prepend(tmp_path / folder)
    if name not in sys.modules:
        monkeypatch.setitem(sys.modules, name, importlib.import_module(name))
    return name


def test_a_package_that_hides_another_is_named(module: str) -> None:
    """A learner's package that stands for another is named; this one, wherever it is, is not."""
    found = hidden_modules.behind(ImportError(module))
    names = {Path(file).parent.name for file in found} & {"stars_in_two_folders", "jaxtutor"}
    assert names == {"stars_in_two_folders"} & {module}
    assert hidden_modules.behind(ValueError(module)) == ()
