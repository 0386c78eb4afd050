"""Tests the first screen of the mistakes that users of NumPy and PyTorch type, and of starters."""

from __future__ import annotations

import ast
import re

import pytest

from typed_mistakes import (
    Mistake,
    digest,
    edit,
    first_verdict,
    import_used,
    lessons,
    records,
    run,
    screen,
    starters,
    typed_mistakes,
)

LESSONS = pytest.mark.parametrize("slug", sorted({it.lesson for it in typed_mistakes()}))


def said(mistake: Mistake) -> str:
    """Return the first screen of a recorded mistake as one line without marks of code."""
    shown = screen(first_verdict(records()[mistake.name], mistake), mistake.source)
    return " ".join(shown.replace("`", "").split())
