"""Writes small lessons to disk, for tests that run a real worker on them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from jaxtutor.checks.lesson_check import Checker
from jaxtutor.content.lesson import Lesson
from jaxtutor.processes.runner import Runner
from jaxtutor.processes.templates import Templates

INFO = """
title = "Double it"
function = "double"
difficulty = "easy"
minutes = 5
new = "You can double."
hints = ["Think.", "Look closer.", "Multiply it by two."]
"""

CHECKS = """import numpy as np

from jaxtutor.core.vocabulary import Call

EXAMPLES = [
    Call(np.array([1.0, 2.0], np.float32)).gives([2.0, 4.0]),
    Call(np.array([0.5], np.float32)).gives([1.0]),
]


def hidden(rng):
    yield Call(rng.normal(size=3).astype(np.float32))
"""

SOLUTION = '''"""Double it."""


def double(x):
    """Return x with every element doubled."""
    return 2 * x  # a Python number is weakly typed
'''

STARTER = '''"""Double it."""


def double(x):
    """Return x with every element doubled."""
    # TODO: double it.
    return x
'''

PAGE = """# Double it

## Why this matters

It does.

## Worked example

```python
assert 2 * 2 == 4
```

## Common pitfalls

None.

## Problem

Double it.

```python show
double(jnp.array([1.0, 2.0]))  # [2.0, 4.0]
double(jnp.array([0.5]))  # [1.0]
```

## After you pass

Go on.
"""

FILES = {
    "lesson.toml": INFO,
    "checks.py": CHECKS,
    "solution.py": SOLUTION,
    "starter.py": STARTER,
    "lesson.md": PAGE,
}


def make_lesson(folder: Path, files: Mapping[str, str] = FILES, number: str = "1.1") -> Lesson:
    """Write a lesson. Files that `files` does not contain are those of a lesson that doubles."""
    for name, text in {**FILES, **files}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return Lesson(folder, number, folder.name.partition("_")[2].replace("_", "-") or folder.name)


def make_checker(folder: Path, device: str | None = "cpu") -> Checker:
    """Return a checker that caches the solutions' answers in a folder."""
    return Checker(Runner(templates=Templates()), {}, folder, device)
