"""Finds parameters that a function never reads, though calls of it pass a value for them."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from jaxtutor.core.diagnosis import words
from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.editing.expressions import add_argument
from jaxtutor.core.diagnosis.engine.matches import Finding
from jaxtutor.core.diagnosis.engine.rules import TRAINING, Rule, read
from jaxtutor.core.diagnosis.engine.scopes import reads_of
from jaxtutor.core.diagnosis.engine.source import Definition, Module
from jaxtutor.core.diagnosis.engine.transforms import applied, transformation
from jaxtutor.core.diagnosis.interpretation.liveness import ALL_NAMES
from jaxtutor.core.diagnosis.reading.calls import (
    argument,
    argument_for,
    called_name,
    calls_in,
    keyword_of,
)
from jaxtutor.core.diagnosis.reading.functions import (
    called_function,
    is_docstring,
    parameter_names,
)
from jaxtutor.core.diagnosis.reading.names import last_name
from jaxtutor.core.diagnosis.reading.other_files import function_called

_TRANSPARENT = ("jit", "checkpoint", "vmap", "pmap", "grad", "value_and_grad")
"""Transformations whose result takes what the function takes."""
_DICTATED = words.TRAINING_FLAGS | words.EVALUATION_FLAGS | words.UNREAD
"""Whole names of parameters that a function may take only because its callers pass them."""


class UnreadArgument(Finding, frozen=True, kw_only=True):
    """A parameter that its function never reads.

    `call`, in the function, leaves out an argument of that name.
    """

    name: str
    call: ast.Call | None = None


class CallInFile(Struct, frozen=True):
    """A call of a function of the program, in a file."""

    module: Module
    call: ast.Call


def read_unread_arguments(modules: Mapping[str, Module]) -> Iterator[UnreadArgument]:
    """Yield the parameters that a function never reads and that calls pass on purpose."""
    for module in modules.values():
        if not any(path.partition(".")[0] in TRAINING for path in module.imports.values()):
            continue
        for function in module.functions:
            if isinstance(function, Definition):
                yield from _unread_parameters(module, function, modules)


def _unread_parameters(
    module: Module, function: Definition, modules: Mapping[str, Module]
) -> Iterator[UnreadArgument]:
    named = _given_parameters(module, function)
    unread = [item for item in named if _is_never_named(function, item.arg)]
    if not unread or not _is_free(module, function, modules):
        return
    uses = list(_calls_of_function(module, function, modules))
    calls = [use for use in uses if use is not None]
    if len(calls) < len(uses):
        return
    for item in unread:
        meant = _passed_on_purpose(named, item, calls)
        if meant is not None:
            yield _unread_argument(module, function, item, meant)


def _unread_argument(
    module: Module, function: Definition, item: ast.arg, meant: tuple[CallInFile, ast.expr]
) -> UnreadArgument:
    use, value = meant
    facts = {
        "name": item.arg,
        "function": _called_as(module, function),
        "argument": use.module.text(value),
        "detail": str(use.call.lineno),
    }
    call = _call_without(module, function, item.arg)
    if call is not None:
        facts["container"] = module.text(call.func)
    return UnreadArgument(
        None,
        facts,
        "left_out" if call is not None else "",
        module=module,
        node=item,
        is_certain=False,
        name=item.arg,
        call=call,
    )


# ---------------------------------------------------------------- the function


def _given_parameters(module: Module, function: Definition) -> list[ast.arg]:
    """List the parameters of a function that calls give a value, without that of the object."""
    given = [*function.args.posonlyargs, *function.args.args]
    first = 0 if _owner(module, function) is None else 1
    return [*given[first:], *function.args.kwonlyargs]


def _is_never_named(function: Definition, name: str) -> bool:
    """Return whether a function names a parameter nowhere, where no name says that it need not."""
    if name.startswith("_") or name in _DICTATED or words.says(name, words.KEYS):
        return False
    if reads_of(function, name):
        return False
    nodes = [node for node in ast.walk(function) if isinstance(node, ast.Name)]
    is_deleted = any(node.id == name and isinstance(node.ctx, ast.Del) for node in nodes)
    return not is_deleted and ALL_NAMES.isdisjoint(node.id for node in nodes)


def _is_free(module: Module, function: Definition, modules: Mapping[str, Module]) -> bool:
    """Return whether nothing dictates the parameters of a function.

    A body that reads none of them is a stub, and another function with the same parameters shows
    that both are called alike.
    """
    names = [item.arg for item in _given_parameters(module, function)]
    alike = [
        other
        for file in modules.values()
        for other in file.functions
        if other is not function and _is_alike(function, other, names)
    ]
    body = [line for line in function.body if not is_docstring(line)]
    is_stub = not any(reads_of(function, name) for name in names) or (
        len(body) == 1 and isinstance(body[0], ast.Raise)
    )
    compiled = [item for item in applied(module) if item.function is function and item.is_decorator]
    is_known = len(compiled) == len(function.decorator_list)
    return is_known and not alike and not is_stub


def _is_alike(function: Definition, other: ast.AST, names: Sequence[str]) -> bool:
    """Return whether another function has the same name, or takes the same arguments."""
    if not isinstance(other, Definition):
        return False
    others = [name for name in parameter_names(other) if name not in ("self", "cls")]
    return (other.name == function.name != "__init__") or (len(names) > 1 and others == names)


def _owner(module: Module, function: Definition) -> ast.ClassDef | None:
    """Return the class of a method."""
    owner = module.parents.get(function)
    return owner if isinstance(owner, ast.ClassDef) else None


def _called_as(module: Module, function: Definition) -> str:
    """Return the name that calls a function: that of the class for its constructor."""
    owner = _owner(module, function)
    return owner.name if owner is not None and function.name == "__init__" else function.name


# ---------------------------------------------------------------- its calls


def _calls_of_function(
    module: Module, function: Definition, modules: Mapping[str, Module]
) -> Iterator[CallInFile | None]:
    """Yield the calls of a function, and None for any other use of it, such as a callback."""
    owner, name = _owner(module, function), _called_as(module, function)
    if owner is not None and function.name != "__init__":
        yield from _method_uses(owner, function, modules)
        return
    scope = module.scope(owner or function)
    yield from _uses_of_name(module, scope, name)
    others = [it for it in modules.values() if it is not module and scope is module.tree]
    for other in others:
        for node in other.nodes:
            if isinstance(node, ast.Name | ast.Attribute) and last_name(node) == name:
                called = function_called(modules, other, node)
                if owner is not None or (called is not None and called[1] is function):
                    yield from _use(other, node)


def _method_uses(
    owner: ast.ClassDef, function: Definition, modules: Mapping[str, Module]
) -> Iterator[CallInFile | None]:
    """Yield the calls of a method on `self`; any other may be of another class."""
    if owner.bases or function.name.startswith("__"):
        yield None
    for module in modules.values():
        for node in module.nodes:
            if isinstance(node, ast.Attribute) and node.attr == function.name:
                is_own = owner in module.ancestors(node) and _is_self(node.value)
                yield from _use(module, node) if is_own else (None,)


def _is_self(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == "self"


def _uses_of_name(module: Module, scope: ast.AST, name: str) -> Iterator[CallInFile | None]:
    for node in reads_of(scope, name):
        yield from _use(module, node)


def _use(module: Module, node: ast.expr) -> Iterator[CallInFile | None]:
    """Yield the calls that an expression which stands for a function is used for."""
    match module.parents.get(node):
        case ast.Call(func=func) as call if func is node:
            yield CallInFile(module, call)
        case ast.Call(args=[first, *_]) as call if first is node and _keeps_arguments(module, call):
            yield from _use(module, call)
        case ast.Assign(targets=[ast.Name(id=name)]) as statement if isinstance(node, ast.Call):
            yield from _uses_of_name(module, module.scope(statement), name)
        case ast.arg() | ast.AnnAssign(annotation=_):
            return
        case _:
            yield None


def _keeps_arguments(module: Module, call: ast.Call) -> bool:
    return transformation(module, call.func) in _TRANSPARENT


def _passed_on_purpose(
    named: Sequence[ast.arg], item: ast.arg, uses: Sequence[CallInFile]
) -> tuple[CallInFile, ast.expr] | None:
    """Return the first call that passes a value for a parameter on purpose, with the value."""
    name, place = item.arg, named.index(item)
    passed = [
        (use, value) for use in uses if (value := argument(use.call, place, name)) is not None
    ]
    is_varied = len({ast.dump(value) for _, value in passed}) > 1
    for use, value in passed:
        is_named = keyword_of(use.call, name) is not None
        if not _is_empty(value) and (is_varied or is_named or not isinstance(value, ast.Constant)):
            return use, value
    return None


def _is_empty(value: ast.expr) -> bool:
    """Return whether an expression is one that stands for nothing, such as None or `()`."""
    match value:
        case ast.Constant(value=None | ""):
            return True
        case ast.Tuple(elts=[]) | ast.List(elts=[]) | ast.Dict(keys=[]):
            return True
    return isinstance(value, ast.Name) and value.id.startswith("_")


# ---------------------------------------------------------------- what it was for


def _call_without(module: Module, function: Definition, name: str) -> ast.Call | None:
    """Return the one call in a function of another that has the parameter, and does not get it."""
    found = []
    for call in calls_in(function):
        other = _function_of(module, call)
        if other is None or other is function or name not in parameter_names(other):
            continue
        is_spread = any(isinstance(a, ast.Starred) for a in call.args) or any(
            keyword.arg is None for keyword in call.keywords
        )
        if not is_spread and argument_for(other, call, name) is None:
            found.append(call)
    return found[0] if len(found) == 1 else None


def _function_of(module: Module, call: ast.Call) -> Definition | None:
    """Return the function that a call runs: `loss` of `jax.grad(loss)(w)`, if it is not mapped."""
    if not isinstance(call.func, ast.Call):
        return called_function(module, call)
    name = called_name(call)
    is_mapped = transformation(module, call.func.func) in ("vmap", "pmap")
    is_kept = _keeps_arguments(module, call.func) and not is_mapped
    return module.function_named(name.id) if name is not None and is_kept else None


def pass_on(found: UnreadArgument) -> Drafts:
    """Pass the argument on to the one call that lacks it."""
    if found.call is not None:
        yield add_argument(Draft(found.module), found.call, f"{found.name}={found.name}")


def is_said(found: Finding, others: Sequence[tuple[str, Finding]]) -> bool:
    """Return whether another finding says what the function reads, or that it ignores a value."""
    function, name = found.facts["function"], found.facts["name"]
    return any(
        (slug == "value-never-read" and other.facts.get("argument") == function)
        or (
            slug in ("outer-value-read", "zero-gradient")
            and other.facts.get("function") == function
            and name in other.facts.values()
        )
        for slug, other in others
    )


RULES = (Rule("argument-never-read", read(of_all=read_unread_arguments), pass_on, is_echo=is_said),)
