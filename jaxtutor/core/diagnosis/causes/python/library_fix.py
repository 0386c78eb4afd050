"""Fixes calls of libraries that lack an argument: optimizers, train states, modules."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import TypeGuard

from jaxtutor.core.diagnosis.causes.python.packed import take_packed
from jaxtutor.core.diagnosis.causes.python.wrong_calls import WrongArity
from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.editing.expressions import add_argument
from jaxtutor.core.diagnosis.engine.context import FrameContext
from jaxtutor.core.diagnosis.engine.source import FunctionNode, Module, names_in, path_of
from jaxtutor.core.diagnosis.engine.transforms import find
from jaxtutor.core.diagnosis.reading.calls import argument, method_owner
from jaxtutor.core.diagnosis.reading.functions import parameter_names, parameters
from jaxtutor.core.diagnosis.reading.library_calls import PACKAGES, home_of, is_key, is_module_of
from jaxtutor.core.diagnosis.reading.names import bound_value


def library_arguments(found: WrongArity, call: ast.Call) -> Drafts:
    """Pass what a library's function requires, where the syntax leaves no choice."""
    draft = Draft(found.module)
    match found.form:
        case "optimizer_wrt":
            yield from _wrt(draft, call)
        case "optimizer_update":
            models = _differentiated(found, call) or _models(found)
            for model in models if call.args else ():
                draft = Draft(found.module).before(call.args[0], f"{model}, ")
                yield draft.certain() if len(models) == 1 else draft
        case "optimizer_value":
            yield from _loss_values(found, call)
        case "layer_key":
            keys = unused_keys(found.frame)
            if len(keys) == 1:
                yield add_argument(draft.certain(), call, f"key={keys[0]}")
        case "handed":
            yield _unpacked_args(found, call) or _bound_partial(found)
        case (
            "handed_more"
            | "handed_args"
            | "handed_keywords"
            | "random_map"
            | "vector_field"
            | "observed"
            | "state_field"
        ):
            yield _other_definition(found, call)
        case _:
            names = set(found.frame.names) | set(parameter_names(found.frame.function))
            if found.missing and set(found.missing) <= names:
                if found.form == "layer_rngs":
                    draft.certain()
                yield add_argument(draft, call, ", ".join(f"{n}={n}" for n in found.missing))


def _take_keywords(found: WrongArity) -> Draft | None:
    """Let a function take any keywords, after its last parameter."""
    given = parameters(found.function)
    home = home_of(found.context, found.function)
    if home is None or found.function is None or not given:
        return None
    defaults = [*found.function.args.defaults, *found.function.args.kw_defaults]
    ends: list[ast.arg | ast.expr] = [given[-1], *(d for d in defaults if d is not None)]
    return (
        Draft(home).certain().after(max(ends, key=lambda n: (n.lineno, n.col_offset)), ", **kwargs")
    )


def _other_definition(found: WrongArity, call: ast.Call) -> Draft | None:
    """Let a function take what the library passes, or a class what the call passes."""
    match found.form:
        case "state_field":
            return _state_with_field(found, call)
        case "vector_field":
            return _take_args(found)
        case "handed_keywords":
            return _take_keywords(found)
        case "handed_more" | "handed_args" | "random_map":
            return _take_one_more(found)
        case "observed":
            return _optional(found)
    return None


def _state_with_field(found: WrongArity, call: ast.Call) -> Draft | None:
    """Define a train state that has the field, and create that one."""
    module, class_ = found.module, method_owner(call)
    used = {n.name for n in module.nodes if isinstance(n, ast.ClassDef)}
    outer = [n for n in (call, *module.ancestors(call)) if n in module.tree.body]
    if class_ is None or "StateWithField" in used or not outer:
        return None
    name, field = "StateWithField", found.facts["argument"]
    text = f"class {name}({module.text(class_)}):\n    {field}: dict\n\n\n"
    return Draft(module).add_lines(module.span(outer[0]).line, text).replace(class_, name).certain()


def _optional(found: WrongArity) -> Draft | None:
    """Give the observation of a model the default None, for which its site is sampled."""
    module = home_of(found.context, found.function)
    if module is None:
        return None
    draft = Draft(module).certain()
    for parameter in parameters(found.function):
        if parameter.arg in found.missing:
            draft.after(parameter, " = None" if parameter.annotation is not None else "=None")
    return draft


def _take_args(found: WrongArity) -> Draft | None:
    """Let a vector field take `args`, which Diffrax always passes."""
    function = found.function
    module = home_of(found.context, function)
    given = parameters(function)
    if module is None or not given or given[-1].arg == "args":
        return None
    return Draft(module).certain().after(given[-1], ", args")


def _take_one_more(found: WrongArity) -> Draft | None:
    """Let a function take what a library also passes, behind what it takes now."""
    function = found.function
    module = home_of(found.context, function)
    if module is None or function is None or not function.args.args or function.args.defaults:
        return None
    name = {"random_map": "rng", "handed_args": "args"}.get(found.form, "_")
    is_used = any(a.arg == name for a in parameters(function))
    default = "=None" if name == "args" else ""  # the learner's own calls pass none
    draft = Draft(module).after(function.args.args[-1], f", {name}{default}")
    return None if is_used else draft if name == "_" else draft.certain()


def _unpacked_args(found: WrongArity, call: ast.Call) -> Draft | None:
    """Let a function take `args` as one value, and unpack it, where a solver passes a tuple."""
    module, function = home_of(found.context, found.function), found.function
    given = parameters(function)
    option = argument(call, None, "args")
    packed = bound_value(found.module, option) if option is not None else None
    missing = _names_missing(found)
    extra = given[len(given) - len(missing) - 1 :] if missing else []
    if module is None or not isinstance(function, ast.FunctionDef) or len(extra) < 2:
        return None
    if not isinstance(packed, ast.Tuple) or len(packed.elts) != len(extra):
        return None
    if function.args.defaults or function.args.kwonlyargs or any(a.arg == "args" for a in given):
        return None
    return take_packed(module, function, extra, "args")


def _bound_partial(found: WrongArity) -> Draft | None:
    """Bind what a library does not pass, where the function is handed over and it has a name."""
    name, missing = getattr(found.function, "name", ""), _names_missing(found)
    handed = [
        (module, node)
        for module in found.context.modules.values()
        for node in module.nodes
        if isinstance(node, ast.Name) and node.id == name and _is_handed(module, node)
    ]
    if not name or not missing or len(handed) != 1:
        return None
    module, node = handed[0]
    counts = [times_bound(module, node, n) for n in missing]
    if not all(counts):
        return None
    draft = Draft(module)
    if set(counts) == {1}:
        draft.certain()
    bound = ", ".join(f"{n}={n}" for n in missing)
    return draft.wrap(node, f"{draft.name('functools.partial')}(", f", {bound})")


def _names_missing(found: WrongArity) -> list[str]:
    """List the parameters that a call did not fill, as Python names them."""
    said = found.context.message.partition("required positional argument")[2]
    return re.findall(r"'(\w+)'", said)


def _is_handed(module: Module, node: ast.Name) -> bool:
    """Return whether a function is an argument of a library's call."""
    parent = module.parents.get(node)
    call = module.parents.get(parent) if isinstance(parent, ast.keyword) else parent
    package = (module.dotted(call.func) or "").partition(".")[0] if _is_call(call) else ""
    return package in PACKAGES and getattr(call, "func", None) is not node


def _is_call(node: ast.AST | None) -> TypeGuard[ast.Call]:
    return isinstance(node, ast.Call)


def times_bound(module: Module, node: ast.AST, name: str) -> int:
    """Count how often the innermost scope around a node that has a name binds it."""
    scopes = [n for n in module.ancestors(node) if isinstance(n, FunctionNode | ast.Module)]
    for scope in scopes:
        bound = len(module.assignments(name, scope))
        if isinstance(scope, FunctionNode):
            bound += sum(a.arg == name for a in parameters(scope))
        if bound:
            return bound
    return 0


def _wrt(draft: Draft, call: ast.Call) -> Iterator[Draft]:
    """Differentiate with respect to the parameters, which is what optimizers did before."""
    nnx = next((a for a, p in draft.module.imports.items() if p == "flax.nnx"), None)
    if nnx is not None:
        yield add_argument(draft.certain(), call, f"wrt={nnx}.Param")


def unused_keys(frame: FrameContext) -> list[str]:
    """List the names of the frame's function that hold a PRNG key and that nothing reads."""
    function = frame.function
    if function is None:
        return []
    read = names_in(function)
    facts = [(n, f.detail) for n, f in frame.names.items() if "." not in n]
    return [n for n, detail in facts if is_key(detail) and n not in read]


def _differentiated(found: WrongArity, call: ast.Call) -> list[str]:
    """Return the model at which the gradient was taken that a call passes."""
    grads = call.args[0].id if call.args and isinstance(call.args[0], ast.Name) else ""
    for node in ast.walk(found.frame.function or found.module.tree):
        is_assigned = isinstance(node, ast.Assign) and grads in _names_in(node.targets)
        value = node.value if is_assigned and isinstance(node, ast.Assign) else None
        if isinstance(value, ast.Call) and find(found.context, *_GRADIENTS, at=value) is not None:
            model = path_of(value.args[0]) if value.args else None
            return [model] if model is not None else []
    return []


_GRADIENTS = ("grad", "value_and_grad")


def _names_in(targets: list[ast.expr]) -> set[str]:
    return {n.id for t in targets for n in ast.walk(t) if isinstance(n, ast.Name)}


def _models(found: WrongArity) -> list[str]:
    """List the names of the modules in sight of the frame."""
    names = [n for n in found.frame.names if "." not in n]
    return [n for n in names if is_module_of("nnx", found.frame, n)]


def _loss_values(found: WrongArity, call: ast.Call) -> Iterator[Draft]:
    """Pass the loss, its gradient and its function, as `value_and_grad` names them."""
    taken = _value_and_grad(found)
    if taken is None:
        return
    value, grad, function = taken
    texts = {"value": value, "grad": grad, "value_fn": function}
    names = [n for n in found.missing if n in texts]
    if len(names) == len(found.missing):
        text = ", ".join(f"{n}={texts[n]}" for n in names)
        yield add_argument(Draft(found.module).certain(), call, text)


def _value_and_grad(found: WrongArity) -> tuple[str, str, str] | None:
    """Return the names of a loss and its gradient, and its function, from `value_and_grad`."""
    module: Module = found.module
    scope = found.frame.function or module.tree
    for node in ast.walk(scope):
        match node:
            case ast.Assign(
                targets=[ast.Tuple(elts=[ast.Name(id=value), ast.Name(id=grad)])],
                value=ast.Call(func=ast.Call(func=made, args=[function, *_]), args=[_]),
            ) if (module.dotted(made) or "").endswith("value_and_grad"):
                return value, grad, module.text(function)
    return None
