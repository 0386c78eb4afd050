"""Owns the learner's module: its source becomes a module as if imported from its file."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType

from jaxtutor.worker import sources


def load(source: str, file: str) -> ModuleType:
    """Run `source` as a module; whatever it raises is let through.

    The text is given to `sources`, so that tracebacks show this text and not what the file holds
    by now. The file's folder comes first on the path, as it does for a script.
    """
    name = Path(file).stem.replace("-", "_") or "submission"
    if not name.isidentifier() or name in sys.modules:
        name = "submission_" + "".join(c if c.isalnum() else "_" for c in name)
    sources.keep(file, source)
    module = ModuleType(name)
    module.__file__ = file
    sys.modules[name] = module
    sys.path.insert(0, str(Path(file).parent))
    exec(compile(source, file, "exec", dont_inherit=True), module.__dict__)
    return module
