"""Says what the TODO of an unchanged starter asks for."""

from __future__ import annotations

from jaxtutor.core.data.lines import split_lines

MARK = "TODO:"


def say_todo(source: str) -> str:
    """Name the line below a file's TODO, and quote the TODO; empty without one."""
    lines = [line.strip() for line in split_lines(source)]
    first = next((n for n, line in enumerate(lines) if MARK in line), None)
    if first is None:
        return ""
    below = next((n for n in range(first, len(lines)) if lines[n][:1] not in ("", "#")), None)
    comment = " ".join(line.lstrip("# ") for line in lines[first:below])
    place = f"line {below + 1}, `{lines[below]}`" if below is not None else "that of the TODO"
    return (
        "This is the file as you got it. The first line to change is"
        f" {place}. Its TODO says: “{comment.partition(MARK)[2].strip()}”"
    )
