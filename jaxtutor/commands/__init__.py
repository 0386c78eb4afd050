"""Owns what each command does: a function of the surroundings that returns an exit status."""

from __future__ import annotations

PASSED, NOT_PASSED = 0, 1
