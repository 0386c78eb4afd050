"""Describes an exception that the learner's code raised, as plain data.

None of the learner's code runs meanwhile: no `__repr__`, no property, no `__eq__`. The only
exception is the `__str__` of what was raised, which may itself raise or return anything.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterable, Iterator
from types import BuiltinFunctionType, CodeType, FrameType, FunctionType, MethodType, ModuleType
from typing import Any

import jax
import numpy as np

from jaxtutor.core.data.model import DocumentedParameter, Failure, Frame, Leak, NameFact, Step
from jaxtutor.core.diagnosis.source import Module, own_nodes, path_of
from jaxtutor.worker import documentation, leaks, positions, provenance, signatures
from jaxtutor.worker.provenance import IsOwn, is_tracer
from jaxtutor.worker.values import class_name, plain

MESSAGE_CAP = 4_000
MOST_FRAMES = 40
MOST_LINKS = 4
MOST_NAMES = 120
MOST_BASES = 8
MOST_KEYS = 20

# By default JAX removes its own frames from a traceback, and with them the tracer at fault. In a
# learner's own program, `provenance.keep_unfiltered` keeps them without changing the setting.
if not provenance.keeps_unfiltered():
    jax.config.update("jax_traceback_filtering", "off")

_Level = tuple[FrameType, int, int]  # frame, instruction, line


def describe(exc: BaseException, is_own: IsOwn) -> Failure:
    """Describe an exception. `is_own` returns True for the name of a learner's file."""
    return _describe(exc, is_own, MOST_LINKS)


def _describe(exc: BaseException, is_own: IsOwn, links: int) -> Failure:
    message = _message(exc)
    levels = _levels(exc)
    frames = [level[0] for level in levels]
    kept = _capped([level for level in levels if is_own(level[0].f_code.co_filename)])
    facts = tuple(_facts(level, is_own) for level in kept)
    # A leak that the submission returns raises in its caller: no frame of the learner is left.
    is_met = bool(kept) or "unexpected tracer" in message
    tracer = provenance.find_tracer(frames, is_own, message) if is_met else None
    if tracer is None and kept and "Tracer" in message:
        tracer = _named_tracer(kept[-1])
    transformation, function = provenance.traced_by(frames, is_own)
    linked = _linked(exc) if links else None
    return Failure(
        error_class=class_name(type(exc)),
        bases=tuple(class_name(c) for c in _mro(type(exc))),
        message=message,
        frames=tuple(_frame(level) for level in kept),
        module=_public_module(type(exc)),
        jax_frames=tuple(_library_frames(frames, is_own)),
        transformation=transformation,
        traced_function=function,
        tracer=provenance.aval_text(tracer) if tracer is not None else None,
        origin=_origin(tracer, is_own, frames),
        names=facts[-1] if facts else (),
        call_names=facts,
        linked=_describe(linked, is_own, links - 1) if linked is not None else None,
        leak=_leak(tracer, is_own, frames, message.startswith("Leaked trace")),
        signature=_signature(kept[-1], is_own)
        if kept and signatures.is_refusal(exc, message)
        else (),
        documentation=_documentation(kept[-1], is_own, message) if kept else (),
        keys=tuple(_keys(exc, kept[-1])[:MOST_KEYS]) if kept else (),
    )


def _origin(tracer: Any, is_own: IsOwn, frames: list[FrameType]) -> tuple[Step, ...]:
    own = [f for f in frames if is_own(f.f_code.co_filename)]
    return provenance.origin(tracer, is_own, own, frames) if tracer is not None else ()


def _named_tracer(level: _Level) -> Any | None:
    """Return the only tracer that the expression at fault names, if Python itself raised."""
    frame, lasti, _ = level
    module = positions.module_of(frame.f_code.co_filename)
    span = positions.span_at(frame.f_code, lasti)
    node = module.node_at(span) if module is not None and span is not None else None
    names = {n.id for n in ast.walk(node) if isinstance(n, ast.Name)} if node else set()
    found = {id(v): v for name, v in frame.f_locals.items() if name in names and is_tracer(v)}
    return next(iter(found.values())) if len(found) == 1 else None


def _leak(tracer: Any, is_own: IsOwn, frames: list[FrameType], is_caught: bool) -> Leak | None:
    if tracer is None or not (is_caught or provenance.has_escaped(tracer, frames)):
        return None
    return leaks.leak_of(tracer, is_own, through_libraries=True)


# ---------------------------------------------------------------- the exception itself


def _mro(cls: type) -> tuple[type, ...]:
    found: tuple[type, ...] = type.__dict__["__mro__"].__get__(cls)
    return found


def _public_module(cls: type) -> str:
    name = type.__dict__["__module__"].__get__(cls)
    return provenance.public_module(name) if isinstance(name, str) else ""


def _message(exc: BaseException) -> str:
    try:
        text = plain(str(exc))
        return text if len(text) <= MESSAGE_CAP else text[: MESSAGE_CAP - 1] + "…"
    except BaseException as failed:  # the learner's __str__ may do anything
        return f"(its message could not be written: {class_name(type(failed))})"


def _attribute(exc: BaseException, name: str) -> Any:
    return BaseException.__dict__[name].__get__(exc)


def _linked(exc: BaseException) -> BaseException | None:
    cause: BaseException | None = _attribute(exc, "__cause__")
    if cause is not None or _attribute(exc, "__suppress_context__"):
        return cause
    context: BaseException | None = _attribute(exc, "__context__")
    return context


# ---------------------------------------------------------------- its traceback


def _levels(exc: BaseException) -> list[_Level]:
    """Return the levels of a traceback, outermost first. Omit the middle of a very long one."""
    levels = provenance.unfiltered(exc)
    found = [(level.tb_frame, level.tb_lasti, level.tb_lineno) for level in levels]
    return found if len(found) <= 4_000 else [*found[:2_000], *found[-2_000:]]


def _capped(levels: list[_Level]) -> list[_Level]:
    if len(levels) <= MOST_FRAMES:
        return levels
    return [*levels[: MOST_FRAMES // 4], *levels[-3 * MOST_FRAMES // 4 :]]


def _frame(level: _Level) -> Frame:
    frame, lasti, line = level
    code = frame.f_code
    span = positions.span_at(code, lasti) or positions.whole_line(code.co_filename, line)
    return Frame(code.co_filename, code.co_name, span)


def _library_frames(frames: list[FrameType], is_own: IsOwn) -> Iterator[str]:
    """Yield the public names of the library's frames after the learner's last one."""
    last = max((n for n, f in enumerate(frames) if is_own(f.f_code.co_filename)), default=-1)
    for frame in frames[last + 1 :][:40]:
        name = _public_name(frame)
        if not name.startswith((provenance.TRACEBACK_FILTER, "jaxtutor.")):
            yield name


def _public_name(frame: FrameType) -> str:
    code = frame.f_code
    top = code.co_qualname.partition(".")[0]
    home = getattr(frame.f_globals.get(top), "__module__", None)
    module = home if isinstance(home, str) else frame.f_globals.get("__name__", "")
    return f"{module}.{code.co_qualname}"


# ---------------------------------------------------------------- facts about names


def _facts(level: _Level, is_own: IsOwn) -> tuple[NameFact, ...]:
    """Return a fact about the current value of each name and dotted path in a frame's function."""
    frame, _, line = level
    module = positions.module_of(frame.f_code.co_filename)
    if module is None:
        return ()
    found: dict[str, NameFact] = {}
    for path in _paths(module, frame.f_code, line):
        if len(found) >= MOST_NAMES:
            break
        if path not in found:
            found[path] = _fact(path, frame, is_own)
    return tuple(found.values())


def _paths(module: Module, code: CodeType, line: int) -> Iterator[str]:
    """Yield the paths of the statement at fault, then those of the rest of the function."""
    statement = module.statement_on(line)
    if statement is not None:
        yield from _paths_in(ast.walk(statement))
    scope = module.function_at(code.co_name, code.co_firstlineno)
    if scope is not None:
        yield from (a.arg for a in ast.walk(scope.args) if isinstance(a, ast.arg))
        yield from _paths_in(own_nodes(scope))


def _paths_in(nodes: Iterable[ast.AST]) -> Iterator[str]:
    for node in nodes:
        path = path_of(node) if isinstance(node, ast.Name | ast.Attribute) else None
        if path is not None:
            yield path


_MISSING = object()


def _signature(level: _Level, is_own: IsOwn) -> tuple[str, ...]:
    """Return the parameters of the library's function that the expression at fault calls."""
    frame, node = level[0], _node(level)
    path = path_of(node.func) if isinstance(node, ast.Call) else None
    value = _reach(path, frame)[-1] if path is not None else _MISSING
    if value is _MISSING:  # a method of an array, which nothing but a call may read
        func = node.func if isinstance(node, ast.Call) else None
        return signatures.of_method(func.attr) if isinstance(func, ast.Attribute) else ()
    if _is_owned(value, is_own) or leaks.is_own_class(type(value), is_own):
        return ()
    return signatures.of_function(value)


def _node(level: _Level) -> ast.AST | None:
    """Return the expression that a level of the traceback was evaluating."""
    frame, lasti, _ = level
    module = positions.module_of(frame.f_code.co_filename)
    span = positions.span_at(frame.f_code, lasti)
    return module.node_at(span) if module is not None and span is not None else None


def _documentation(level: _Level, is_own: IsOwn, message: str) -> tuple[DocumentedParameter, ...]:
    """Return what a library says of the arguments of the call that raised, or of its result."""
    node = _node(level)
    module = positions.module_of(level[0].f_code.co_filename)
    outer = module.parents.get(node) if module is not None and node is not None else None
    if isinstance(node, ast.Tuple) and isinstance(outer, ast.Assign):  # it was being unpacked
        node = outer.value
    func = node.func if isinstance(node, ast.Call) else None
    path = path_of(func.func if isinstance(func, ast.Call) else func)  # `nn.Dense(3)(x)`
    value = _reach(path, level[0])[-1] if path is not None else _MISSING
    if path is None or value is _MISSING or _is_owned(value, is_own):
        return ()
    if leaks.is_own_class(type(value), is_own) or _is_special(type(value), is_own):
        return ()
    calls = [c for c in (node, func) if isinstance(c, ast.Call)]
    return documentation.of_call(path, value, calls, message)


def _is_special(cls: type, is_own: IsOwn) -> bool:
    """Return whether reading any attribute of a class's objects runs code of the learner's."""
    home = _in_classes(_mro(cls), "__getattribute__")
    return type(home) is FunctionType and is_own(home.__code__.co_filename)


def _keys(exc: BaseException, level: _Level) -> list[str]:
    """Return the keys of a dict that lacks one, or the items of a list that have an attribute."""
    node = _node(level)
    if type(exc) is KeyError and isinstance(node, ast.Subscript):
        found = _item(node.value, level[0])
        return [repr(k) for k in dict.keys(found) if type(k) in (str, int, tuple)]
    held = exc.obj if type(exc) is AttributeError else None
    if type(exc) is not AttributeError or not issubclass(type(held), tuple | list):
        return []
    name = exc.name or ""
    kind: Any = tuple if issubclass(type(held), tuple) else list
    return [f"[{n}]" for n, item in enumerate(kind.__iter__(held)) if _has(item, name)]


def _has(value: object, name: str) -> bool:
    return name in _instance_dict(value) or _in_classes(_mro(type(value)), name) is not _MISSING


def _item(node: ast.expr, frame: FrameType) -> dict[object, object]:
    """Return the dict that an expression is, without running code of a class; else an empty one."""
    match node:
        case ast.Subscript(value=inner, slice=ast.Constant(value=key)):
            found = _item(inner, frame).get(key)
        case _:
            path = path_of(node)
            found = _reach(path, frame)[-1] if path is not None else None
    return found if type(found) is dict else {}


def _reach(path: str, frame: FrameType) -> list[object]:
    """Return the values along a dotted path; `_MISSING` from where one cannot be read."""
    first, *rest = path.split(".")
    reached = [_lookup(first, frame)]
    for name in rest:
        reached.append(_member(reached[-1], name))
    return reached


def _fact(path: str, frame: FrameType, is_own: IsOwn) -> NameFact:
    reached = _reach(path, frame)
    value = reached[-1]
    if value is _MISSING:
        return NameFact(path, "missing")
    return NameFact(
        path,
        _kind(value),
        _detail(value, path, reached),
        _is_owned(value, is_own),
        tuple(_bases(type(value))),
    )


def _bases(cls: type) -> Iterator[str]:
    """Yield the paths of a class and its bases, for one that is neither Python's nor JAX's."""
    for base in _mro(cls)[:MOST_BASES]:
        path = _class_path(base)
        if "." in path and not path.startswith(("jax.", "jaxlib.", "jax._src.", "numpy.")):
            yield path


def _lookup(name: str, frame: FrameType) -> object:
    for space in (frame.f_locals, frame.f_globals, builtins.__dict__):
        if name in space:
            return space[name]
    return _MISSING


def _member(value: object, name: str) -> object:
    """Return an attribute that can be read without running code, else `_MISSING`."""
    cls = type(value)
    if is_tracer(value) or issubclass(cls, jax.Array | np.ndarray):
        return _MISSING
    if cls is ModuleType or issubclass(cls, ModuleType):
        return vars(value).get(name, _MISSING)
    if issubclass(cls, type):
        return _in_classes(_mro(value), name)  # type: ignore[arg-type]
    if issubclass(cls, tuple) and name in _fields_of(cls):
        item: object = tuple.__getitem__(value, _fields_of(cls).index(name))  # type: ignore[call-overload]
        return item
    stored = _instance_dict(value)
    if name in stored:
        return stored[name]
    found = _in_classes(_mro(cls), name)
    plain = (FunctionType, staticmethod, classmethod, int, float, str, tuple, bool)
    return found if type(found) in plain or is_tracer(found) else _MISSING


def _fields_of(cls: type) -> tuple[str, ...]:
    """Return the fields of a named tuple, such as an optimizer of Optax."""
    fields = _in_classes(_mro(cls), "_fields")
    return fields if type(fields) is tuple else ()


def _in_classes(classes: Iterable[type], name: str) -> object:
    for cls in classes:
        space = type.__dict__["__dict__"].__get__(cls)
        if name in space:
            return space[name]
    return _MISSING


def _instance_dict(value: object) -> dict[str, object]:
    try:
        found = object.__getattribute__(value, "__dict__")
    except Exception:  # no __dict__, or a class that replaces it
        return {}
    return found if type(found) is dict else {}


_KINDS: tuple[tuple[type, str], ...] = (
    (type(None), "none"),
    (bool, "number"),
    (int, "number"),
    (float, "number"),
    (complex, "number"),
    (np.generic, "number"),
    (str, "str"),
    (list, "list"),
    (tuple, "tuple"),
    (dict, "dict"),
    (set, "set"),
    (frozenset, "set"),
    (np.ndarray, "ndarray"),
    (ModuleType, "module"),
    (type, "class"),
    (FunctionType, "function"),
    (BuiltinFunctionType, "function"),
    (MethodType, "function"),
    (np.ufunc, "function"),
    (np.vectorize, "function"),
    (jax.numpy.ufunc, "function"),
    (staticmethod, "function"),
    (classmethod, "function"),
)


def _kind(value: object) -> str:
    cls = type(value)
    if is_tracer(value):
        return "tracer"
    if issubclass(cls, jax.Array):
        return "typed_key" if _is_typed_key(value) else "array"
    for base, kind in _KINDS:
        if issubclass(cls, base):
            return kind
    return "function" if _wrapped(value) is not None else "other"


def _is_typed_key(value: Any) -> bool:
    return bool(jax.dtypes.issubdtype(value.dtype, jax.dtypes.prng_key))


def _wrapped(value: object) -> object | None:
    """Return the function inside one that a library wrapped, such as a jitted function."""
    if type(value).__module__.partition(".")[0] in ("jax", "jaxlib", "functools"):
        inner = _instance_dict(value).get("__wrapped__")
        if inner is None and type(value).__name__ == "partial":
            inner = getattr(value, "func", None)
        if inner is None and type(value).__name__ == "PjitFunction":
            inner = getattr(value, "__wrapped__", None)
        return inner
    return None


def _detail(value: object, path: str, reached: list[object]) -> str:
    kind = _kind(value)
    if kind in ("tracer", "array", "typed_key"):
        return provenance.aval_text(value)
    if kind == "ndarray":
        array = np.ndarray.view(value, np.ndarray)  # type: ignore[call-overload]
        return f"{array.dtype}[{','.join(map(str, array.shape))}]"
    if kind in ("list", "tuple", "dict", "set"):
        return str(_length(value))
    if kind in ("module", "class", "function"):
        return _home(value, path, reached)
    return _class_path(type(value))


def _length(value: Any) -> int:
    for base in (list, tuple, dict, set, frozenset):
        if issubclass(type(value), base):
            return int(base.__len__(value))
    return 0


def _home(value: object, path: str, reached: list[object]) -> str:
    """Return the dotted path of a module, class or function, by the module it was read from."""
    if issubclass(type(value), ModuleType):
        return str(vars(value).get("__name__", ""))
    if len(reached) > 1 and issubclass(type(reached[-2]), ModuleType):
        return f"{vars(reached[-2]).get('__name__', '')}.{path.rpartition('.')[2]}"
    if issubclass(type(value), type):
        return _class_path(value)  # type: ignore[arg-type]
    if type(value) is np.ufunc:
        home = "numpy" if getattr(np, value.__name__, None) is value else "scipy.special"
        return f"{home}.{value.__name__}"
    if type(value) is np.vectorize:
        return "numpy.vectorize"
    if type(value) is jax.numpy.ufunc:
        return f"jax.numpy.{getattr(value, '__name__', '')}"
    value = _innermost(value)
    module, name = getattr(value, "__module__", None), getattr(value, "__qualname__", "")
    return f"{module}.{name}" if module else str(name)


def _innermost(value: object) -> object:
    """Return the function behind a wrapper or a method.

    The result is compared with None only, because its `__bool__` may raise.
    """
    wrapped = _wrapped(value)
    value = value if wrapped is None else wrapped
    return getattr(value, "__func__", value) if type(value) in _METHODS else value


_METHODS = (MethodType, staticmethod, classmethod)


def _class_path(cls: type) -> str:
    module = type.__dict__["__module__"].__get__(cls)
    name = type.__dict__["__qualname__"].__get__(cls)
    return str(name) if module == "builtins" else f"{module}.{name}"


def _is_owned(value: object, is_own: IsOwn) -> bool:
    value = _innermost(value)
    if type(value) is FunctionType:
        return is_own(value.__code__.co_filename)
    return issubclass(type(value), type) and leaks.is_own_class(value, is_own)  # type: ignore[arg-type]
