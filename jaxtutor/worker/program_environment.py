"""Sets up `__main__`, `sys.argv` and `sys.path` as Python does for a program of each kind."""

from __future__ import annotations

import builtins
import importlib.util
import os
import sys
from collections.abc import Callable, Mapping
from importlib.machinery import BuiltinImporter, ModuleSpec, SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any


def clear_main() -> ModuleType:
    """Return the module `__main__` without any of its names."""
    module = sys.modules["__main__"]
    module.__dict__.clear()
    return module


def become_script(module: ModuleType, file: str) -> None:
    """Set the names that `__main__` has in `python FILE`."""
    _set(module, __file__=file, __cached__=None, __loader__=SourceFileLoader("__main__", file))


def become_command(module: ModuleType) -> None:
    """Set the names that `__main__` has in `python -c CODE`."""
    _set(module, __loader__=BuiltinImporter)


def become_module(module: ModuleType, spec: ModuleSpec) -> None:
    """Set the names that `__main__` has in `python -m NAME`."""
    names = {"__file__": spec.origin, "__cached__": spec.cached, "__loader__": spec.loader}
    _set(module, __spec__=spec, __package__=spec.parent, **names)


def _set(module: ModuleType, **names: Any) -> None:
    always: dict[str, Any] = {
        "__name__": "__main__",
        "__doc__": None,
        "__package__": None,
        "__spec__": None,
        "__builtins__": builtins,
    }
    if sys.version_info < (3, 14):
        always["__annotations__"] = {}
    module.__dict__.update({**always, **names})


def find_module(name: str) -> ModuleSpec:
    """Return the spec of what `python -m NAME` runs. Raises ImportError, or what a package raises.

    The package that contains the module is imported, as Python does.
    """
    spec = importlib.util.find_spec(name)
    if spec is None:
        raise ModuleNotFoundError(f"No module named {name}", name=name)
    if spec.submodule_search_locations is not None:
        if name.endswith(".__main__"):
            raise ImportError("Cannot use package as __main__ module")
        try:
            return find_module(name + ".__main__")
        except ModuleNotFoundError as error:
            text = f"{error.args[0]}; {name!r} is a package and cannot be directly executed"
            raise ImportError(text) from None
    return spec


def forget_shadowed(loaded_before: frozenset[str], folder: str) -> None:
    """Forget the modules that this process has loaded and that the program's own folder replaces.

    A file `signal.py` beside a script hides Python's module. The program must find its own file,
    and fail as it does under Python.
    """
    names = {name.partition(".")[0] for name in set(sys.modules) - loaded_before}
    for name in names - {"jaxtutor", "__main__"}:
        if Path(folder, f"{name}.py").is_file() or Path(folder, name, "__init__.py").is_file():
            for loaded in [m for m in sys.modules if m == name or m.startswith(name + ".")]:
                del sys.modules[loaded]


Compile = Callable[[str, str], CodeType]
"""Compiles the text of a file, whose name comes second."""


def compile_file(text: str, file: str) -> CodeType:
    """Compile a file as Python does."""
    return compile(text, file, "exec", dont_inherit=True)


def replace_sources(
    edits: Mapping[str, str], compilers: Mapping[str, Compile] | None = None
) -> None:
    """Import the files named in `edits` with these texts; the files themselves stay as they are.

    A file that is named in `compilers` is compiled by that function.
    """
    texts = {os.path.realpath(file): text for file, text in edits.items()}
    special = {os.path.realpath(file): made for file, made in (compilers or {}).items()}
    if not texts and not special:
        return
    original = SourceFileLoader.get_code

    def get_code(self: SourceFileLoader, fullname: str) -> Any:
        file = os.path.realpath(self.path)
        if file not in texts and file not in special:
            return original(self, fullname)
        text = texts[file] if file in texts else self.get_source(fullname)
        return special.get(file, compile_file)(text or "", self.path)

    SourceFileLoader.get_code = get_code  # type: ignore[method-assign, assignment]


def replace_test_sources(rewrite: Any, edits: Mapping[str, str]) -> None:
    """Import test files with the texts in `edits` too, which pytest's own loader reads.

    `rewrite` is `_pytest.assertion.rewrite`. The assertions of these files are not rewritten.
    """
    loader = getattr(rewrite, "AssertionRewritingHook", None)
    if loader is None or not edits:
        return
    texts = {os.path.realpath(file): text for file, text in edits.items()}
    original = loader.exec_module

    def exec_module(self: Any, module: Any) -> None:
        file = module.__spec__.origin
        text = texts.get(os.path.realpath(file))
        if text is None:
            original(self, module)
        else:
            exec(compile(text, file, "exec", dont_inherit=True), vars(module))

    loader.exec_module = exec_module
