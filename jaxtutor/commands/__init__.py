"""Implements the commands: each is a function of the App that returns an exit status."""

from __future__ import annotations

PASSED, NOT_PASSED = 0, 1
