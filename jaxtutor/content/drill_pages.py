"""Reads the pages of drills from disk, and finds a drill by its name."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path

from jaxtutor.core.data.drills import Drill, read_drills
from jaxtutor.core.data.lessons import suggest
from jaxtutor.errors import UsageError


class DrillPages:
    """The drills of every cause that has some."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder or Path(__file__).resolve().parent.parent / "drills"

    @cached_property
    def causes(self) -> tuple[str, ...]:
        """The causes that have drills, sorted."""
        return tuple(sorted(path.stem for path in self.folder.glob("*.md")))

    @cached_property
    def by_cause(self) -> dict[str, tuple[Drill, ...]]:
        """The drills of each cause."""
        return {
            cause: read_drills(cause, (self.folder / f"{cause}.md").read_text(encoding="utf-8"))
            for cause in self.causes
        }

    def find(self, name: str) -> Drill:
        """Return the drill of a name. Raises UsageError."""
        named = {drill.name: drill for drills in self.by_cause.values() for drill in drills}
        if name in named:
            return named[name]
        close = suggest(name, [*named])
        remedy = f"Did you mean {' or '.join(close)}?" if close else "See: jaxtutor drill"
        raise UsageError(f"No drill is named {name!r}.", remedy)

    def of(self, cause: str) -> tuple[Drill, ...]:
        """Return the drills of a cause. Raises UsageError."""
        if cause in self.by_cause:
            return self.by_cause[cause]
        close = suggest(cause, [*self.by_cause])
        remedy = f"Did you mean {' or '.join(close)}?" if close else "See: jaxtutor drill"
        raise UsageError(f"There are no drills for {cause!r}.", remedy)
