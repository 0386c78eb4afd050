"""Registers sources with `linecache`, and compares the text of a file with the code that runs.

`linecache` keeps the text that it read first. A module that is edited and loaded again would be
shown with its old text; one that is edited and not loaded again, with lines that never ran.
"""

from __future__ import annotations
import __future__

import linecache
import sys
import warnings
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache, partial, reduce
from operator import or_
from pathlib import Path
from types import CodeType, FunctionType, ModuleType, TracebackType

from jaxtutor.core.data.lines import whole_lines

FEATURES = reduce(or_, (getattr(__future__, n).compiler_flag for n in __future__.all_feature_names))
"""The flags of code that `from __future__ import` sets."""

MOST_LINKS = 5
"""Exceptions behind an exception whose code is looked at."""

_Present = Mapping[tuple[str, int], list[CodeType]]
"""The code that a text compiles to, by its qualified name and first line."""


def keep(file: str, source: str) -> None:
    """Register a source under its file's name, even if the file has changed since."""
    linecache.cache[file] = (len(source), None, whole_lines(source), file)


def is_outdated(file: str, codes: Collection[CodeType] = ()) -> bool:
    """Return whether the text of a file is another one than its code was compiled from.

    The text is read again if the file has changed. A registered text, such as that of a cell, is
    the right one. Without `codes`, the functions of the module are compared.
    """
    compared = list(codes or _loaded_codes(file))
    present = _present_code(file, compared)
    if present is None:
        return False
    return not all(c in present.get((c.co_qualname, c.co_firstlineno), ()) for c in compared)


def follow_edits(file: str) -> None:
    """Give the functions of a module the lines that they have in its file now.

    `%autoreload` compiles a function that was edited by itself, from line 1, and leaves others with
    their former lines. A function whose program is not the one in the file stays as it is.
    """
    functions = _loaded_functions(file)
    present = _present_code(file, [function.__code__ for function in functions]) or {}
    placed = {code for codes in present.values() for code in codes}
    for function in functions:
        if function.__code__ not in placed:
            program = _without_places(function.__code__)
            named = (code for code in placed if code.co_qualname == function.__qualname__)
            same = [code for code in named if _without_places(code) == program]
            if len(same) == 1:
                function.__code__ = same[0]


def _without_places(code: CodeType) -> CodeType:
    """Return the program of a function without its lines and the names around it."""
    return code.replace(
        co_firstlineno=1,
        co_linetable=b"",
        co_qualname=code.co_name,
        co_consts=tuple(
            _without_places(item) if isinstance(item, CodeType) else item for item in code.co_consts
        ),
    )


def changed_files(files: Iterable[str], start: float) -> Iterator[str]:
    """Yield the files that were edited after a time, and whose text is not the one that runs."""
    for file in files:
        with suppress(OSError):
            if Path(file).stat().st_mtime >= start and is_outdated(file):
                yield file


def outdated_files(codes: Iterable[CodeType]) -> set[str]:
    """Return the files of some code whose text is another one than that was compiled from."""
    found: dict[str, list[CodeType]] = {}
    for code in codes:
        found.setdefault(code.co_filename, []).append(code)
    return {file for file, its in found.items() if is_outdated(file, its)}


def _present_code(file: str, compared: Sequence[CodeType]) -> _Present | None:
    """Compile the text that a file has now; None if it was registered, or cannot be compiled."""
    linecache.checkcache(file)
    is_readable = bool(linecache.getlines(file))
    entry = linecache.cache.get(file)
    if not is_readable or entry is None or len(entry) != 4 or entry[1] is None:
        return None
    features = compared[0].co_flags & FEATURES if compared else 0
    return _compiled(file, entry[0], entry[1], features)


@lru_cache(maxsize=512)
def _compiled(file: str, _size: int, _modified: float, features: int) -> _Present | None:
    """Compile a file as the loader of its module did; None if that cannot be repeated.

    Loaders may change the program: that of jaxtyping adds checks, that of pytest rewrites asserts.
    A file that is being edited may have any text: no code is from one that does not parse. What
    was compiled without a loader may have `features` of the file that compiled it.
    """
    module = _module_of(file)
    loader = getattr(module, "__loader__", None)
    plain = partial(_compile, features=features)
    compile_it = getattr(loader, "source_to_code", None if loader is not None else plain)
    if compile_it is None:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # they were shown when the file was loaded
            program = compile_it(Path(file).read_bytes(), file)
    except (SyntaxError, ValueError):
        return {}
    except Exception:  # the loader is not ours
        return None
    present: dict[tuple[str, int], list[CodeType]] = {}
    for code in _codes_in(program):
        present.setdefault((code.co_qualname, code.co_firstlineno), []).append(code)
    return present


def _compile(data: bytes, file: str, features: int) -> CodeType:
    code: CodeType = compile(data, file, "exec", flags=features, dont_inherit=True)
    return code


def _module_of(file: str) -> ModuleType | None:
    """Return the module that was loaded from a file."""
    loaded = (m for m in list(sys.modules.values()) if getattr(m, "__file__", None) == file)
    return next(loaded, None)


def _codes_in(program: CodeType) -> Iterator[CodeType]:
    yield program
    for constant in program.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes_in(constant)


def _loaded_codes(file: str) -> list[CodeType]:
    """List the code of the functions and methods that the module of a file has."""
    return [function.__code__ for function in _loaded_functions(file)]


def _loaded_functions(file: str) -> list[FunctionType]:
    """List the functions and methods that the module of a file has."""
    module = _module_of(file)
    held = list(vars(module).values()) if module is not None else []
    held += [member for item in held if isinstance(item, type) for member in vars(item).values()]
    functions = [getattr(item, "__wrapped__", item) for item in held if callable(item)]
    found = [item for item in functions if type(item) is FunctionType]
    return [function for function in found if function.__code__.co_filename == file]


def codes_behind(error: BaseException) -> Iterator[CodeType]:
    """Yield the code in the tracebacks of an exception and of those that it was raised from."""
    link: BaseException | None = error
    for _ in range(MOST_LINKS):
        if link is None:
            return
        level: TracebackType | None = link.__traceback__
        while level is not None:
            yield level.tb_frame.f_code
            level = level.tb_next
        link = link.__cause__ or link.__context__
