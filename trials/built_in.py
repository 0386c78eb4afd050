"""Finds lessons of the built-in course by their slugs: their numbers and chapters may change."""

from __future__ import annotations

from pathlib import Path

LESSONS = Path(__file__).resolve().parents[1] / "lessons"


def lesson_folder(slug: str) -> Path:
    """Return the folder of a lesson."""
    name = slug.replace("-", "_")
    (folder,) = (it for it in LESSONS.glob(f"*/*_{name}") if it.name.partition("_")[2] == name)
    return folder


def learner_file(slug: str) -> Path:
    """Return the path of the learner's file in a workspace."""
    return lesson_folder(slug).relative_to(LESSONS).with_suffix(".py")
