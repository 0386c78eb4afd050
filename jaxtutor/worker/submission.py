"""Loads the learner's source as a module, as if it were imported from its file."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType

from jaxtutor.worker import sources


def load(source: str, file: str) -> ModuleType:
    """Run `source` as a module and return it. Exceptions are not caught.

    Tracebacks show this text, even if the file has changed since. The file's folder is first on
    the path, as it is for a script.
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
