"""Runs the Python blocks of the pages of causes that its arguments name, as scripts.

Prints one line for each block that does not do what its fence says, and nothing otherwise.
"""

from __future__ import annotations

import re
import sys
import tempfile
import tomllib
import traceback
import types
from pathlib import Path

FILES = tempfile.TemporaryDirectory()
"""Where the blocks stand as files, for one that writes a file beside its own."""
FENCE = re.compile(r"^```python (failing|fixed)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def read_front(text: str) -> dict[str, object]:
    """Return the TOML front matter of a page."""
    return tomllib.loads(text.split("+++\n", 2)[1])


def raises_of(front: dict[str, object]) -> tuple[str, ...]:
    """Return the classes that the page's failing block may raise, by name, or "none"."""
    raises = front["raises"]
    classes = (raises,) if isinstance(raises, str) else tuple(raises)  # type: ignore[arg-type]
    return tuple(name.rpartition(".")[2] for name in classes)


def marked_line(source: str, mark: str) -> int | None:
    """Return the number of the only line that ends in `mark`, or None."""
    found = [n for n, line in enumerate(source.splitlines(), 1) if line.rstrip().endswith(mark)]
    return found[0] if len(found) == 1 else None


def run_block(source: str, name: str) -> tuple[str, list[int]] | None:
    """Run a block as a module. Return the class that it raised, and the lines on the way there.

    Only the innermost line counts, except in a recursion: its limit may be met anywhere in it.
    """
    module = types.ModuleType(name)
    module.__file__ = f"{FILES.name}/{name}.py"
    sys.modules[name] = module
    try:
        exec(compile(source, f"<{name}>", "exec", dont_inherit=True), module.__dict__)
    except BaseException as error:
        frames = traceback.extract_tb(error.__traceback__)
        lines = [frame.lineno or 0 for frame in frames if frame.filename == f"<{name}>"]
        is_recursion = isinstance(error, RecursionError)
        return type(error).__name__, lines if is_recursion else lines[-1:]
    return None


def problem_of(kind: str, source: str, name: str, raises: tuple[str, ...]) -> str | None:
    """Run one block and return the page's problem, if any."""
    outcome = run_block(source, name)
    if kind == "fixed":
        return f"fixed block raises {outcome}" if outcome else None
    error_line = marked_line(source, "# error")
    if error_line is None:
        if "none" not in raises or marked_line(source, "# wrong") is None:
            return "failing block marks neither one `# error` nor one `# wrong` line"
        return f"silent block raises {outcome}" if outcome else None
    if outcome is None or outcome[0] not in raises or error_line not in outcome[1]:
        return f"expected {raises} at line {error_line}, got {outcome}"
    return None


def main(path: Path) -> int:
    """Run every block of the page at `path`."""
    text = path.read_text()
    raises = raises_of(read_front(text))
    status = 0
    for number, (kind, source) in enumerate(FENCE.findall(text)):
        problem = problem_of(kind, source, f"block_{number}", raises)
        if "jax" in sys.modules:  # a failed call can poison the cache for an equal, correct one
            sys.modules["jax"].clear_caches()
        if problem:
            print(f"{path.stem}: block {number} ({kind}): {problem}")
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(max([main(Path(name)) for name in sys.argv[1:]]))
