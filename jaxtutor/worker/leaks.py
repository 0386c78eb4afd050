"""Finds tracers that outlived their trace, and the objects that still hold them.

`jax.checking_leaks` misses tracers of `grad`; scanning the garbage collector's objects finds them.
The worker calls `gc.freeze()` before the learner's code runs, so that the scan is short.
"""

from __future__ import annotations

import functools
import gc
import sys
import sysconfig
import time
from collections.abc import Collection, Iterable, Iterator
from inspect import CO_GENERATOR
from pathlib import Path
from types import CellType, CodeType, FrameType, FunctionType, GeneratorType, ModuleType
from typing import Any

import jax

from jaxtutor.core.data.failures import Leak
from jaxtutor.worker.internals import origins, tracers, tracing
from jaxtutor.worker.internals.places import IsOwn
from jaxtutor.worker.internals.tracers import is_tracer

MOST_LEAKS = 8
DEPTH = 5
DEPTH_THROUGH_LIBRARIES = 7
MOST_SECONDS = 2.0
"""CPU time of the search for holders. A library such as Diffrax may keep thousands of tracers, and
each one takes a look at every object of the process."""

_LIBRARIES = tuple(
    str(Path(sysconfig.get_path(name)).resolve()) for name in ("stdlib", "purelib", "platlib")
)
_TUTOR = str(Path(__file__).resolve().parent.parent)


def is_learners(file: str) -> bool:
    """Return True if a file belongs neither to Python, nor to a library, nor to jaxtutor."""
    return not file.startswith(("<", *_LIBRARIES, _TUTOR))


def live_leaks(is_own: IsOwn = is_learners) -> tuple[Leak, ...]:
    """Return the tracers that are alive although nothing is being traced, with their holders.

    Call this only when no transformation is running. A tracer whose holder is unknown is omitted,
    because JAX itself may hold it.
    """
    if not _live_tracers():  # as after most runs; collecting takes ten times as long
        return ()
    gc.collect()
    found = _live_tracers()
    known: dict[Any, Leak] = {}
    end = time.thread_time() + MOST_SECONDS
    for tracer in found:
        leak = leak_of(tracer, is_own, hidden=(found,))
        if leak.path:
            known[leak.holder, leak.path, leak.created] = leak
        if time.thread_time() > end:
            break
    return tuple(known.values())[:MOST_LEAKS]


def _live_tracers() -> list[Any]:
    values = gc.get_objects()
    if not any(issubclass(kind, jax.core.Tracer) for kind in _classes(values)):
        return []
    return [value for value in values if is_tracer(value)]


def _classes(values: list[object]) -> Collection[type]:
    """Return the class of each object once, without a loop in Python."""
    kinds = list(map(type, values))
    try:
        return set(kinds)
    except Exception:  # a metaclass that defines `__eq__` has no hash
        return dict(zip(map(id, kinds), kinds, strict=True)).values()


def leak_of(
    tracer: Any, is_own: IsOwn, hidden: Iterable[object] = (), through_libraries: bool = False
) -> Leak:
    """Describe one leaked tracer. Its holder is `unknown` if none of the learner's objects has it.

    `hidden` lists objects of the caller that refer to the tracer but do not count as holders. With
    `through_libraries`, a holder is also found behind objects of libraries and other tracers. Use
    it only for a tracer that raised: a library may keep tracers that nobody uses.
    """
    search = _Search(is_own, through_libraries)
    holder, path = search.holder(tracer, {id(hidden), *map(id, hidden)})
    created = origins.created_at(tracer, is_own)
    place = tracers.traced_place(tracer)
    function = place[0] if place is not None else created.function if created else ""
    return Leak(
        aval=tracers.aval_text(tracer),
        created=created,
        holder=holder,
        path=path,
        function=function,
        transformation=tracing.transformation_of(tracer) or "",
    )


# ---------------------------------------------------------------- holders


def _referrers(value: object) -> Iterator[object]:
    """Yield the objects that refer to a value, the namespace of the program among them.

    In a fork, that namespace is older than `gc.freeze()`, so the collector does not look into it.
    """
    yield from gc.get_referrers(value)
    program = vars(sys.modules["__main__"])
    if any(held is value for held in tuple(program.values())):
        yield program


class _Link:
    """One object on the path from a tracer to its holder, and the path so far."""

    __slots__ = ("kind", "passed", "value")

    def __init__(self, value: object, kind: str = "", passed: tuple[object, ...] = ()) -> None:
        self.value = value
        self.kind = kind  # how the tracer itself is held
        self.passed = (*passed, value)


class _Search:
    """Searches the referrers of a tracer for one that has a name which the learner knows."""

    def __init__(self, is_own: IsOwn, through_libraries: bool) -> None:
        self.is_own = is_own
        self.through_libraries = through_libraries

    def holder(self, tracer: object, skipped: set[int]) -> tuple[str, str]:
        """Return the kind and name of the nearest holder, breadth-first."""
        level = [_Link(tracer)]
        seen = {id(tracer), *skipped}
        for _ in range(DEPTH_THROUGH_LIBRARIES if self.through_libraries else DEPTH):
            outer: list[_Link] = []
            seen.add(id(level))
            for link in level:
                for referrer in _referrers(link.value):
                    if id(referrer) in seen or (type(referrer) is FrameType and _is_ours(referrer)):
                        continue
                    seen.add(id(referrer))
                    named = _name(link, referrer, self.is_own)
                    if named is not None:
                        return named
                    outer.extend(self._outwards(link, referrer))
            level = outer
            del outer
        return "unknown", ""

    def _outwards(self, link: _Link, referrer: object) -> Iterator[_Link]:
        if self.through_libraries and (_is_namespace(referrer) or _is_foreign(referrer)):
            yield _Link(referrer, link.kind, link.passed)
        else:
            yield from _outwards(link, referrer)


def _is_ours(frame: FrameType) -> bool:
    return frame.f_code.co_filename.startswith(_TUTOR)


_CONTAINERS: dict[type, str] = {list: "list", dict: "dict", set: "set", tuple: ""}


def _outwards(link: _Link, referrer: object) -> Iterator[_Link]:
    """Yield a link for a plain container, a cell or a cache entry, but not for JAX's objects."""
    kind = type(referrer)
    if kind in _CONTAINERS:
        if not _is_library(referrer):
            yield _Link(referrer, link.kind or _CONTAINERS[kind], link.passed)
    elif kind is CellType:
        yield _Link(referrer, link.kind, link.passed)
    elif kind.__name__ in ("_lru_list_elem", "lru_list_elem"):
        yield _Link(referrer, "cache", link.passed)


def _is_foreign(value: object) -> bool:
    """Return True for a tracer, or an object of a library's class that may hold a value."""
    if is_tracer(value):
        return True
    module = type(value).__module__
    file = getattr(sys.modules.get(module), "__file__", None)
    top = module.partition(".")[0]
    if not isinstance(file, str) or top in ("jax", "jaxlib", "numpy", "msgspec"):
        return False
    return str(Path(file).resolve()).startswith(_LIBRARIES[1:])


def _is_namespace(referrer: object) -> bool:
    """Return True if a dict holds the attributes of an object of a library's class."""
    if type(referrer) is not dict:
        return False
    owners = [o for o in gc.get_referrers(referrer) if instance_dict(o) is referrer]
    return any(map(_is_foreign, owners))


def _is_library(container: object) -> bool:
    """Return True if a container is an attribute of a JAX object, such as an equation."""
    owners = gc.get_referrers(container)
    modules = {type(o).__module__.partition(".")[0] for o in owners}
    return bool(modules & {"jax", "jaxlib"}) and not modules & {"__main__"}


def _name(link: _Link, referrer: object, is_own: IsOwn) -> tuple[str, str] | None:
    """Return the kind and name of a referrer, or None if the learner has no name for it."""
    kind = type(referrer)
    if kind is dict:
        return _name_in_dict(link, referrer, is_own)  # type: ignore[arg-type]
    if kind is FunctionType:
        return _name_in_function(link, referrer, is_own)  # type: ignore[arg-type]
    if kind is functools._lru_cache_wrapper:  # type: ignore[comparison-overlap]
        wrapped = getattr(referrer, "__wrapped__", None)
        name = getattr(wrapped, "__name__", "")
        code = getattr(wrapped, "__code__", None)
        return ("cache", name) if code is not None and is_own(code.co_filename) else None
    if kind is GeneratorType:
        code = referrer.gi_code  # type: ignore[attr-defined]
        return ("generator", code.co_name) if _keeps_values(code, is_own) else None
    if kind is FrameType:
        return _name_in_frame(link, referrer, is_own)  # type: ignore[arg-type]
    return _name_in_object(link, referrer, is_own)


def _name_in_dict(link: _Link, space: dict[Any, Any], is_own: IsOwn) -> tuple[str, str] | None:
    """Return the name of a link in the namespace of a module, a function or an object."""
    for owner in gc.get_referrers(space):
        if type(owner) is ModuleType and vars(owner) is space:
            own = is_own(str(space.get("__file__", "")))
            name = _key_of(space, link.value)
            return (link.kind or "global", name) if own and name else None
        if type(owner) is FunctionType and vars(owner) is space:
            name = _key_of(space, link.value)
            own = is_own(owner.__code__.co_filename)
            return ("attribute", f"{owner.__name__}.{name}") if own and name else None
        if instance_dict(owner) is space:
            return _name_in_object(link, owner, is_own)
    file = space.get("__file__")
    if "__builtins__" in space and isinstance(file, str) and is_own(file):
        name = _key_of(space, link.value)
        return (link.kind or "global", name) if name else None
    return None


def _name_in_function(link: _Link, function: FunctionType, is_own: IsOwn) -> tuple[str, str] | None:
    """Return the name of a link in a function's closure or default arguments."""
    code = function.__code__
    if not is_own(code.co_filename):
        return None
    cells = zip(code.co_freevars, function.__closure__ or (), strict=False)
    for name, cell in cells:
        if any(cell is value for value in link.passed):
            return link.kind or "closure", name
    names = code.co_varnames[: code.co_argcount]
    defaults = function.__defaults__ or ()
    for name, value in zip(reversed(names), reversed(defaults), strict=False):
        if value is link.value or defaults is link.value:
            return link.kind or "closure", name
    return None


def _keeps_values(code: CodeType, is_own: IsOwn) -> bool:
    """Return True for a learner's generator; a generator expression only reads what leaked."""
    return is_own(code.co_filename) and code.co_name != "<genexpr>"


def _content(cell: CellType) -> object:
    try:
        return cell.cell_contents
    except ValueError:  # an empty cell
        return None


def _name_in_frame(link: _Link, frame: FrameType, is_own: IsOwn) -> tuple[str, str] | None:
    """Return the local variable of a live frame, or the generator, that holds a link."""
    code = frame.f_code
    if not is_own(code.co_filename):
        return None
    if code.co_flags & CO_GENERATOR:
        return ("generator", code.co_name) if _keeps_values(code, is_own) else None
    name = _key_of(frame.f_locals, link.value) if link.kind else ""
    return (link.kind, name) if name else None


def _name_in_object(link: _Link, owner: object, is_own: IsOwn) -> tuple[str, str] | None:
    """Return the attribute through which one of the learner's objects or classes holds a link."""
    cls = owner if isinstance(owner, type) else type(owner)
    if not is_own_class(cls, is_own):
        return None
    name = _key_of(_attributes(owner), link.value)
    if not name:
        return None
    if isinstance(vars(cls).get(name), functools.cached_property):
        return "cache", f"self.{name}"
    first = cls.__name__ if owner is cls else "self"
    return (link.kind if link.kind == "list" else "attribute"), f"{first}.{name}"


def is_own_class(cls: type, is_own: IsOwn) -> bool:
    """Return True if a class was defined in one of the learner's files."""
    module = sys.modules.get(str(type.__dict__["__module__"].__get__(cls)))
    file = getattr(module, "__file__", None)
    return isinstance(file, str) and is_own(file)


def _attributes(owner: object) -> dict[str, object]:
    if isinstance(owner, type):
        return dict(vars(owner))
    found = dict(instance_dict(owner) or {})
    for cls in type(owner).__mro__:
        slots = vars(cls).get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else slots:
            member = vars(cls).get(name)
            if type(member).__name__ == "member_descriptor":
                found[name] = _slot(member, owner)
    return found


def instance_dict(owner: object) -> dict[str, object] | None:
    """Return an object's `__dict__` without running code of its class."""
    try:
        found = object.__getattribute__(owner, "__dict__")
    except Exception:  # no __dict__, or a class that replaces it
        return None
    return found if type(found) is dict else None


def _slot(member: Any, owner: object) -> object:
    try:
        return member.__get__(owner)
    except AttributeError:  # an empty slot
        return None


def _key_of(space: Any, value: object) -> str:
    for key, item in list(space.items()):
        if type(key) is str and (item is value or _content_of(item) is value):
            return key
    return ""


def _content_of(item: object) -> object:
    return _content(item) if type(item) is CellType else None
