"""Owns the editor of the trials: it saves what it is told on its standard input.

It is started as an editor is, with the file last. `save WAY TEXT` saves the file TEXT of the folder
SCRIBE_DESK, in a way of `trials.saving`, and takes TEXT away; `quit` leaves; other lines are
only typed. The desk's file `open` tells which file it has.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from trials.saving import WAYS


def main() -> None:
    """Open the file, and do what the lines say."""
    desk, file = Path(os.environ["SCRIBE_DESK"]), Path(sys.argv[-1])
    (desk / f"open.{os.getpid()}").write_text(str(file))
    (desk / f"open.{os.getpid()}").replace(desk / "open")
    for line in sys.stdin:
        match line.split():
            case ["save", way, text]:
                WAYS[way](file, (desk / text).read_bytes())
                (desk / text).unlink()
            case ["quit"]:
                return


if __name__ == "__main__":
    main()
