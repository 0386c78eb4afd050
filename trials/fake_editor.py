"""Acts as an editor that takes commands from standard input.

It is started like an editor, with the file as last argument. `save WAY TEXT` saves the contents of
the file TEXT in the folder FAKE_EDITOR_FOLDER, in a way of `trials.saving`, and removes TEXT;
`quit` exits; other lines are ignored. The file `open` in that folder contains the edited path.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from trials.saving import WAYS


def main() -> None:
    """Open the file and carry out the commands."""
    folder, file = Path(os.environ["FAKE_EDITOR_FOLDER"]), Path(sys.argv[-1])
    (folder / f"open.{os.getpid()}").write_text(str(file))
    (folder / f"open.{os.getpid()}").replace(folder / "open")
    for line in sys.stdin:
        match line.split():
            case ["save", way, text]:
                WAYS[way](file, (folder / text).read_bytes())
                (folder / text).unlink()
            case ["quit"]:
                return


if __name__ == "__main__":
    main()
