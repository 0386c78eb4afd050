"""Describes an exception that the learner's code raised, as plain data.

None of the learner's code runs meanwhile: no `__repr__`, no property, no `__eq__`. The only
exception is the `__str__` of what was raised, which may itself raise or return anything.
"""

from __future__ import annotations

import ast
import json
import linecache
import re
from collections.abc import Iterator
from types import FrameType, FunctionType, MethodType
from typing import Any, NamedTuple

import jax
from msgspec.structs import replace

from jaxtutor.core.data.failures import (
    DocumentedParameter,
    Failure,
    HandedValue,
    Leak,
    LibraryCheck,
    NameFact,
    PassedPart,
    Step,
    UnfitArgument,
)
from jaxtutor.core.data.positions import Frame
from jaxtutor.core.diagnosis.engine.source import path_of
from jaxtutor.worker import leaks, positions
from jaxtutor.worker.failures import (
    documentation,
    handed,
    hidden_modules,
    library_checks,
    missing_names,
    plain_failure,
    queued_work,
    signatures,
    tree_parts,
    unfit_arguments,
)
from jaxtutor.worker.failures.frame_values import MISSING, in_classes, instance_dict, mro, reach
from jaxtutor.worker.failures.name_facts import fact_of, facts_of, is_owned
from jaxtutor.worker.failures.passed_values import arguments_of, is_composite, passed_values
from jaxtutor.worker.failures.sites import impossible_sites
from jaxtutor.worker.internals import (
    callback_errors,
    origins,
    tracebacks,
    tracers,
    tracing,
    tree_maps,
)
from jaxtutor.worker.internals.places import IsOwn
from jaxtutor.worker.internals.tracers import is_tracer
from jaxtutor.worker.values import class_name, plain

MESSAGE_CAP = 4_000
MOST_FRAMES = 40
MOST_LINKS = 4
MOST_NAMES = 120
MOST_BASES = 8
MOST_KEYS = 20
MOST_DEPTH = 3
"""Levels of nested tuples in which an attribute is searched: a chain of optimizers has two."""

# By default JAX removes its own frames from a traceback, and with them the tracer at fault. In a
# learner's own program, `tracebacks.keep_unfiltered` keeps them without changing the setting.
if not tracebacks.keeps_unfiltered():
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
    for file in {frame.f_code.co_filename for frame, _, _ in kept}:
        linecache.checkcache(file)  # as Python does before it prints a traceback
    facts = tuple(facts_of(level[0], level[2], is_own) for level in kept)
    # A leak that the submission returns raises in its caller: no frame of the learner is left.
    is_met = bool(kept) or "unexpected tracer" in message
    tracer = tracers.find_tracer(frames, is_own, message) if is_met else None
    if tracer is None and kept and "Tracer" in message:
        tracer = _named_tracer(kept[-1])
    transformation, function = tracing.traced_by(frames, is_own)
    linked = (_linked(exc) or callback_errors.behind(exc)) if links else None
    arguments = _arguments(kept[-1], _after(levels, is_own)) if kept else {}
    refused = _refused(exc, arguments)
    made = Failure(
        error_class=class_name(type(exc)),
        bases=tuple(class_name(c) for c in mro(type(exc))),
        message=message,
        frames=tuple(_frame(level) for level in kept),
        module=_public_module(type(exc)),
        jax_frames=tuple(_library_frames(frames, is_own)),
        transformation=transformation,
        traced_function=function,
        tracer=tracers.aval_text(tracer) if tracer is not None else None,
        origin=_origin(tracer, is_own, frames),
        names=facts[-1] if facts else (),
        call_names=facts,
        linked=_describe(linked, is_own, links - 1) if linked is not None else None,
        leak=_leak(tracer, is_own, frames, message.startswith("Leaked trace")),
        signature=_signature(kept[-1], is_own, signatures.is_refusal(exc, message)) if kept else (),
        documentation=_documentation(kept[-1], is_own, message) if kept else (),
        keys=tuple(_keys(exc, kept[-1], refused)[:MOST_KEYS]) if kept else (),
        holders=tuple(_holders(exc, kept[-1], arguments)[:MOST_KEYS]) if kept else (),
        trail=_trail(refused, kept),
        passed=_passed(arguments, is_own),
        missing_name=missing_names.of_exception(exc, is_own),
        hiding=hidden_modules.behind(exc),
        unfit=_unfit(kept[-1], is_own, arguments) if kept else (),
        check=_check(levels, kept, arguments, is_own),
        sites=tuple(impossible_sites([frame for frame, _, _ in _after(levels, is_own)])),
        handed=_handed(exc, message, _after(levels, is_own), arguments, is_own),
        part=_part(message, levels, arguments, is_own),
    )
    started = queued_work.start_behind([frame for frame, _, _ in _after(levels, is_own)])
    return made if started is None else _where_queued(made, started)


def _where_queued(made: Failure, started: queued_work.StartedAt) -> Failure:
    """Describe a failure in a thread by the call that queued the work, and not where it came up."""
    return replace(
        made,
        frames=started.frames,
        names=started.names[-1],
        call_names=started.names,
        surfaced=made.frames[-1],
        signature=(),
        documentation=(),
        keys=(),
        holders=(),
        trail=(),
        passed=(),
        unfit=(),
        check=None,
        handed=None,
        part=None,
    )


def _origin(tracer: Any, is_own: IsOwn, frames: list[FrameType]) -> tuple[Step, ...]:
    own = [f for f in frames if is_own(f.f_code.co_filename)]
    return origins.origin(tracer, is_own, own, frames) if tracer is not None else ()


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
    if tracer is None or not (is_caught or tracers.has_escaped(tracer, frames)):
        return None
    return leaks.leak_of(tracer, is_own, through_libraries=True)


def _handed(
    exc: BaseException,
    message: str,
    after: list[_Level],
    arguments: dict[str, object],
    is_own: IsOwn,
) -> HandedValue | None:
    """Return what a library called with arguments that it refused."""
    is_refusal = type(exc) is TypeError and _REFUSED_CALL.search(message) is not None
    return handed.refused_call(after, arguments, is_own) if is_refusal else None


_REFUSED_CALL = re.compile(
    r"\(\) (?:takes .*argument|missing \d+ required|got an unexpected keyword|got multiple values)"
    r"|\w+ takes no arguments"
)


def _part(
    message: str, levels: list[_Level], arguments: dict[str, object], is_own: IsOwn
) -> PassedPart | None:
    """Return the part of an argument that the message is about without naming it."""
    refused = tree_parts.refused_part(message, arguments, is_own) or tree_parts.shared_part(
        message, arguments, is_own
    )
    mapped = tree_maps.last_map([frame for frame, _, _ in levels])
    if refused is not None or mapped is None:
        return refused
    callers = [level for level in levels[: mapped.position] if is_own(level[0].f_code.co_filename)]
    between = _after(levels[: mapped.position + 1], is_own)
    given = _arguments(callers[-1], between) if callers else {}
    return tree_parts.differing_part(
        message, mapped.trees, given, is_own
    ) or tree_parts.unlike_leaves(message, mapped.trees, mapped.leaves, given, is_own)


# ---------------------------------------------------------------- the exception itself


def _public_module(cls: type) -> str:
    name = type.__dict__["__module__"].__get__(cls)
    return tracebacks.public_module(name) if isinstance(name, str) else ""


def _message(exc: BaseException) -> str:
    try:
        text = plain_failure.without_own_frames(plain(str(exc)))
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
    levels = tracebacks.unfiltered(exc)
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


def _after(levels: list[_Level], is_own: IsOwn) -> list[_Level]:
    """Return the levels of libraries after the learner's last one."""
    owned = [n for n, level in enumerate(levels) if is_own(level[0].f_code.co_filename)]
    return levels[owned[-1] + 1 :] if owned else []


def _library_frames(frames: list[FrameType], is_own: IsOwn) -> Iterator[str]:
    """Yield the public names of the library's frames after the learner's last one."""
    last = max((n for n, f in enumerate(frames) if is_own(f.f_code.co_filename)), default=-1)
    for frame in frames[last + 1 :][:40]:
        name = _public_name(frame)
        if not name.startswith((tracebacks.TRACEBACK_FILTER, "jaxtutor.")):
            yield name


def _public_name(frame: FrameType) -> str:
    code = frame.f_code
    top = code.co_qualname.partition(".")[0]
    home = getattr(frame.f_globals.get(top), "__module__", None)
    module = home if isinstance(home, str) else frame.f_globals.get("__name__", "")
    return f"{module}.{code.co_qualname}"


# ---------------------------------------------------------------- the call at fault


def _signature(level: _Level, is_own: IsOwn, is_refusal: bool) -> tuple[str, ...]:
    """Return the parameters of the library's function that the expression at fault calls.

    They are read if the call does not fit them, and of a method that is called on a class.
    """
    frame, node = level[0], _node(level)
    func = node.func if isinstance(node, ast.Call) else None
    path = path_of(func)
    reached = reach(path, frame) if path is not None else [MISSING]
    if not is_refusal and not _is_on_class(reached):
        return ()
    if reached[-1] is MISSING:  # a method of an array, which nothing but a call may read
        return signatures.of_method(func.attr) if isinstance(func, ast.Attribute) else ()
    if is_owned(reached[-1], is_own) or leaks.is_own_class(type(reached[-1]), is_own):
        return ()
    return signatures.of_function(reached[-1])


def _is_on_class(reached: list[object]) -> bool:
    """Return whether the last of the values along a path is a method, read from a class."""
    owner = reached[-2] if len(reached) > 1 else None
    return issubclass(type(owner), type) and type(reached[-1]) is FunctionType


def _node(level: _Level) -> ast.AST | None:
    """Return the expression that a level of the traceback was evaluating."""
    frame, lasti, _ = level
    module = positions.module_of(frame.f_code.co_filename)
    span = positions.span_at(frame.f_code, lasti)
    return module.node_at(span) if module is not None and span is not None else None


def _arguments(level: _Level, after: list[_Level]) -> dict[str, object]:
    """Map the texts of the arguments of the call at fault to their values, where these are known.

    The library's frames hold those that the call computes.
    """
    node, module = _node(level), positions.module_of(level[0].f_code.co_filename)
    if not isinstance(node, ast.Call) or module is None:
        return {}
    named = {path: reach(path, level[0])[-1] for a in arguments_of(node) if (path := path_of(a))}
    known = {path: value for path, value in named.items() if value is not MISSING}
    return known | passed_values(node, module, known, [frame for frame, _, _ in after])


def _passed(arguments: dict[str, object], is_own: IsOwn) -> tuple[NameFact, ...]:
    """Describe the arguments of the call at fault that are computed in it."""
    computed = {text: value for text, value in arguments.items() if is_composite(text)}
    return tuple(fact_of(text, [value], is_own) for text, value in computed.items())


class _Call(NamedTuple):
    """A call of a library's function: its path, what is called, and the nodes of the call."""

    path: str
    value: object
    calls: list[ast.Call]


def _library_call(level: _Level, is_own: IsOwn) -> _Call | None:
    """Return the call of a library that a level was evaluating, or whose result it unpacked."""
    node = _node(level)
    module = positions.module_of(level[0].f_code.co_filename)
    outer = module.parents.get(node) if module is not None and node is not None else None
    if isinstance(node, ast.Tuple) and isinstance(outer, ast.Assign):  # it was being unpacked
        node = outer.value
    func = node.func if isinstance(node, ast.Call) else None
    path = path_of(func.func if isinstance(func, ast.Call) else func)  # `nn.Dense(3)(x)`
    reached = reach(path, level[0]) if path is not None else [MISSING]
    value = reached[-1]
    if path is None or value is MISSING or is_owned(value, is_own):
        return None
    if leaks.is_own_class(type(value), is_own) or _is_special(type(value), is_own):
        return None
    calls = [c for c in (node, func) if isinstance(c, ast.Call)]
    return _Call(path, _as_called(reached, path), calls)


def _as_called(reached: list[object], path: str) -> object:
    """Return the last value along a path, bound to its object if it is a method.

    Otherwise `self` would count as its first argument.
    """
    owner, value = (None, *reached)[-2:]
    name = path.rpartition(".")[2]
    is_method = name not in instance_dict(owner) and in_classes(mro(type(owner)), name) is value
    return MethodType(value, owner) if is_method and type(value) is FunctionType else value


def _documentation(level: _Level, is_own: IsOwn, message: str) -> tuple[DocumentedParameter, ...]:
    """Return what a library says of the arguments of the call that raised, or of its result."""
    found = _library_call(level, is_own)
    return documentation.of_call(*found, message) if found is not None else ()


def _unfit(level: _Level, is_own: IsOwn, arguments: dict[str, object]) -> tuple[UnfitArgument, ...]:
    """Return the arguments that the signature of the library's function does not allow."""
    found, module = _library_call(level, is_own), positions.module_of(level[0].f_code.co_filename)
    if found is None or len(found.calls) != 1 or module is None:
        return ()
    path, value, (call,) = found
    return unfit_arguments.of_call(path, value, call, module, arguments, is_own)


def _check(
    levels: list[_Level], kept: list[_Level], arguments: dict[str, object], is_own: IsOwn
) -> LibraryCheck | None:
    """Return the condition under which a library raised, and what in it the call leaves out."""
    check = library_checks.of_frames(_after(levels, is_own), arguments, is_own)
    found = _library_call(kept[-1], is_own) if kept and check is not None else None
    if check is None or found is None or len(found.calls) != 1:
        return check
    names, (call,) = signatures.of_function(found.value), found.calls
    passed = {*names[: len(call.args)], *(k.arg for k in call.keywords)}
    read = dict.fromkeys(path.partition(".")[0] for path in check.values)
    left_out = tuple(n for n in read if n in names and n not in passed and None not in passed)
    return replace(check, left_out=left_out)


def _is_special(cls: type, is_own: IsOwn) -> bool:
    """Return whether reading any attribute of a class's objects runs code of the learner's."""
    home = in_classes(mro(cls), "__getattribute__")
    return type(home) is FunctionType and is_own(home.__code__.co_filename)


def _refused(exc: BaseException, arguments: dict[str, object]) -> object:
    """Return the container that lacked an attribute, or the only dict that a call passed."""
    if type(exc) is AttributeError:
        return exc.obj if type(exc.obj) in (dict, tuple, list) else None
    dicts = [value for value in arguments.values() if type(value) is dict]
    # A dict has the shape () for NumPy, which has no last size.
    is_refusal = type(exc) in (TypeError, IndexError)
    return dicts[0] if is_refusal and len(dicts) == 1 else None


def _trail(value: object, levels: list[_Level]) -> tuple[str, ...]:
    """Return the expression by which the call in each of some frames passes an object, or ""."""
    return () if value is None else tuple(_passing(value, level) for level in levels)


def _passing(value: object, level: _Level) -> str:
    frame, node = level[0], _node(level)
    module = positions.module_of(frame.f_code.co_filename)
    is_written = any(constant is value for constant in frame.f_code.co_consts)
    for given in arguments_of(node) if isinstance(node, ast.Call) and module is not None else ():
        path = path_of(given)
        is_it = path is not None and reach(path, frame)[-1] is value
        if module is not None and (is_it or (is_written and isinstance(given, ast.Tuple))):
            return module.text(given)
    return ""


def _keys(exc: BaseException, level: _Level, refused: object) -> list[str]:
    """Return the keys of a dict that lacks one, or that stands where an array belongs.

    Of a tuple of integers, which is a shape, its items are returned.
    """
    if type(refused) is tuple and refused and set(map(type, refused)) == {int}:
        return [repr(size) for size in refused]
    held = refused if type(refused) is dict else _lacking(exc, level)
    return [repr(k) for k in dict.keys(held) if type(k) in (str, int, tuple)]


def _lacking(exc: BaseException, level: _Level) -> dict[object, object]:
    """Return the dict in which a subscript found no such key; an empty one for other failures."""
    node = _node(level)
    is_key = type(exc) is KeyError and isinstance(node, ast.Subscript)
    return _item(node.value, level[0]) if is_key and isinstance(node, ast.Subscript) else {}


def _holders(exc: BaseException, level: _Level, arguments: dict[str, object]) -> list[str]:
    """Return the places of the items, at any depth, that have what their container lacked.

    A library that reads a key from a tuple may have got it from the call at fault.
    """
    given = exc.args if type(exc) is KeyError else ()
    if len(given) == 1 and type(given[0]) in (str, int):
        return list(_dicts_with(_lacking(exc, level), given[0], MOST_DEPTH))
    if type(exc) is TypeError and _message(exc).startswith(_READ_AS_DICT):
        return list(_fields_with_dicts(level, arguments))
    if type(exc) is TypeError and (refused := _NO_JAX_TYPE.search(_message(exc))) is not None:
        parts = arguments.items()
        return [t + path for t, v in parts for path in _parts_of_class(v, refused[1], MOST_DEPTH)]
    held = exc.obj if type(exc) is AttributeError else None
    if type(exc) is not AttributeError or not issubclass(type(held), tuple | list):
        return []
    return list(_items_with(held, exc.name or "", MOST_DEPTH))


_NO_JAX_TYPE = re.compile(r"of type <class '(str|bytes)'> is not a valid JAX type")


def _parts_of_class(held: object, name: str, depth: int) -> Iterator[str]:
    """Yield the subscripts that lead to the parts of a container whose class has a name."""
    if type(held) is dict:
        items = [(_written(k), v) for k, v in dict.items(held) if type(k) in (str, int)]
    else:
        rows: list[object] = list(held) if type(held) in (tuple, list) else []  # type: ignore[call-overload]
        items = [(str(n), v) for n, v in enumerate(rows)]
    for key, item in items[:MOST_KEYS]:
        if type(item).__name__ == name:
            yield f"[{key}]"
        elif depth > 1:
            yield from (f"[{key}]{inner}" for inner in _parts_of_class(item, name, depth - 1))


_READ_AS_DICT = "tuple indices must be integers or slices, not str"


def _fields_with_dicts(level: _Level, arguments: dict[str, object]) -> Iterator[str]:
    """Yield the fields of a named tuple that hold the dicts which are meant."""
    node = _node(level)
    if isinstance(node, ast.Subscript):
        path, key = path_of(node.value), getattr(node.slice, "value", None)
        held = reach(path, level[0])[-1] if path is not None else None
        fields = _dict_fields(held)
        yield from (f".{name}" for name, value in fields.items() if key in value)
        return
    found = [fields for value in arguments.values() if (fields := _dict_fields(value))]
    if len(found) == 1:
        yield from (f".{name}" for name in found[0])


def _dict_fields(value: object) -> dict[str, dict[object, object]]:
    """Return the fields of a named tuple that are dicts."""
    names = in_classes(mro(type(value)), "_fields")
    if not issubclass(type(value), tuple) or type(names) is not tuple:
        return {}
    items: list[object] = list(tuple.__iter__(value))  # type: ignore[arg-type]
    pairs = zip(names, items, strict=False)
    return {name: held for name, held in pairs if type(name) is str and type(held) is dict}


def _dicts_with(held: dict[object, object], key: object, depth: int) -> Iterator[str]:
    """Yield the subscripts, such as `["params"]`, that lead to the dicts that have a key."""
    for name, item in list(dict.items(held))[:MOST_KEYS]:
        if type(name) not in (str, int) or type(item) is not dict:
            continue
        if key in item:
            yield f"[{_written(name)}]"
        elif depth > 1:
            yield from (f"[{_written(name)}]{inner}" for inner in _dicts_with(item, key, depth - 1))


def _written(key: object) -> str:
    """Write a key with double quotes, as most programs do."""
    return json.dumps(key, ensure_ascii=False)


def _items_with(held: object, name: str, depth: int) -> Iterator[str]:
    """Yield the places of the items that have an attribute, `[1]` or `[1][0]`."""
    kind: Any = tuple if issubclass(type(held), tuple) else list
    for n, item in enumerate(kind.__iter__(held)):
        if _has(item, name):
            yield f"[{n}]"
        elif depth > 1 and issubclass(type(item), tuple | list):
            yield from (f"[{n}]{inner}" for inner in _items_with(item, name, depth - 1))


def _has(value: object, name: str) -> bool:
    return name in instance_dict(value) or in_classes(mro(type(value)), name) is not MISSING


def _item(node: ast.expr, frame: FrameType) -> dict[object, object]:
    """Return the dict that an expression is, without running code of a class; else an empty one."""
    match node:
        case ast.Subscript(value=inner, slice=ast.Constant(value=key)):
            found = _item(inner, frame).get(key)
        case _:
            path = path_of(node)
            found = reach(path, frame)[-1] if path is not None else None
    return found if type(found) is dict else {}
