"""Tests the VS Code extension: its manifest here, and its protocol by its own tests in node."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from jaxtutor import __version__
from jaxtutor.core.reporting.problem_formats import FormatContext, write

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "editors" / "vscode"
MANIFEST = json.loads((FOLDER / "package.json").read_text(encoding="utf-8"))
NODE = shutil.which("node")
COMPILER = FOLDER / "node_modules" / "typescript" / "bin" / "tsc"


@pytest.mark.skipif(NODE is None, reason="node is not installed")
@pytest.mark.skipif(not COMPILER.exists(), reason="run `npm install` in editors/vscode")
def test_the_extension_talks_to_the_server(tmp_path: Path) -> None:
    """The extension compiles without a type error, and its tests against the server pass."""
    command = tmp_path / "jaxtutor"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m jaxtutor "$@"\n')
    command.chmod(0o755)
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "JAXTUTOR_COMMAND": str(command)}
    test = Path("out", "test", "server.test.js")
    for arguments in ([str(COMPILER), "-p", "."], ["--test", str(test)]):
        done = subprocess.run(
            [str(NODE), *arguments],
            cwd=FOLDER,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert 0 == done.returncode, done.stdout


def test_the_problem_matcher_reads_what_is_printed() -> None:
    """The matcher's groups are the parts of a line of `--format short`."""
    found = {
        "message": "",
        "cause": "prng-key-reuse",
        "line": 7,
        "column": 4,
        "end_line": 7,
        "cell": None,
    }
    found |= {
        "file": "/project/a b.py",
        "end_column": 9,
        "summary": "Used [twice]: `key`.",
        "advice": "",
        "expression": "key",
        "fix": None,
    }
    report = {"file": "", "status": "found", "diagnosis": None, "findings": [found]}
    (matcher,) = MANIFEST["contributes"]["problemMatchers"]
    line = write("short", report, FormatContext("/project")).rstrip()
    read = re.fullmatch(matcher["pattern"]["regexp"], line)
    assert read is not None
    expected = ("a b.py", "7", "5", "warning", "Used [twice]: `key`.", "prng-key-reuse")
    assert expected == read.groups()


def test_the_extension_has_the_version_of_the_package() -> None:
    """One version number is used for both."""
    assert __version__ == MANIFEST["version"]
