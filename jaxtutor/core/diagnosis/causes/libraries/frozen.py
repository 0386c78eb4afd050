"""Recognises and fixes assignments to objects that do not change: modules, dataclasses, dicts."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.editing.expressions import atom, indent_of
from jaxtutor.core.diagnosis.editing.updates import SIGNS
from jaxtutor.core.diagnosis.engine.context import FailureContext, FrameContext
from jaxtutor.core.diagnosis.engine.matches import AtFrame
from jaxtutor.core.diagnosis.engine.rules import Rule, raised
from jaxtutor.core.diagnosis.engine.source import Module, names_in, own_nodes, path_of
from jaxtutor.core.diagnosis.reading.functions import parameter_names, returned
from jaxtutor.core.diagnosis.reading.library_calls import is_module_of
from jaxtutor.core.diagnosis.reading.names import all_names, last_part


class FrozenAssignment(AtFrame, frozen=True, kw_only=True):
    """An assignment to an attribute of an object that does not change."""

    target: ast.Attribute | ast.Subscript  # an item, of a `FrozenDict`


def frozen_object(context: FailureContext) -> FrozenAssignment | None:
    """An attribute of a frozen object is assigned: a module, or a dataclass of flax.struct."""
    frame = context.frame
    target = frame.node if frame is not None else None
    if frame is not None and isinstance(target, ast.Subscript):
        return _frozen_dict(context, frame, target)
    if frame is None or not isinstance(target, ast.Attribute):
        return None
    if "static attribute" in context.message:
        return None  # NNX refuses the value, and not the assignment
    if context.error == "AttributeError" and isinstance(target.ctx, ast.Store):
        return _record(context, frame, target)
    if context.error == "AttributeError":
        return _frozen_list(context, frame, target)
    form = _frozen_form(context, frame, target.value)
    facts = {"name": frame.module.text(target.value), "argument": target.attr}
    return FrozenAssignment(None, facts, form, context=context, target=target)


def _frozen_dict(
    context: FailureContext, frame: FrameContext, target: ast.Subscript
) -> FrozenAssignment | None:
    """Return the assignment to an item of a `FrozenDict`, or of a dict inside it."""
    owner: ast.expr = target
    while isinstance(owner, ast.Subscript):
        owner = owner.value
    if "FrozenDict is immutable" not in context.message:
        return None
    facts = {"name": frame.module.text(owner)}
    return FrozenAssignment(None, facts, "dict", context=context, target=target)


def _record(
    context: FailureContext, frame: FrameContext, target: ast.Attribute
) -> FrozenAssignment | None:
    """Return the assignment to a field of a named tuple."""
    if frame.kind(target.value) != "tuple":
        return None
    facts = {"name": frame.module.text(target.value), "argument": target.attr}
    return FrozenAssignment(None, facts, "record", context=context, target=target)


def _frozen_list(
    context: FailureContext, frame: FrameContext, method: ast.Attribute
) -> FrozenAssignment | None:
    """Return the list that linen turned into a tuple when it was assigned to a module."""
    holder = method.value
    if not isinstance(holder, ast.Attribute) or not is_module_of("linen", frame, holder.value):
        return None
    facts = {"name": frame.module.text(holder), "argument": holder.attr}
    return FrozenAssignment(None, facts, "list", context=context, target=holder)


def _frozen_form(context: FailureContext, frame: FrameContext, owner: ast.expr) -> str:
    if is_module_of("equinox", frame, owner):
        return "equinox"
    if context.error == "SetAttributeInModuleSetupError":
        return "field"
    if getattr(frame.function, "name", "") == "__post_init__":
        return "post_init"
    if context.error == "SetAttributeFrozenModuleError" or is_module_of("linen", frame, owner):
        return "linen"
    return ""


Store = ast.Assign | ast.AugAssign


def changed_copy(found: FrozenAssignment) -> Drafts:
    """Replace the attribute in a copy, or assign to what may be assigned."""
    statement, target = found.frame.statement, found.target
    if isinstance(target, ast.Subscript):
        yield from _thawed(found, statement)
    elif found.form == "equinox":
        is_name = isinstance(target.value, ast.Name) and target.value.id != "self"
        if is_name and isinstance(statement, ast.Assign):
            yield _at_leaf(found, target, statement)
    elif found.form == "field":
        yield _local_in_setup(found, target)
    elif found.form == "post_init":
        yield _set_once(found, target)
    elif found.form == "record" or found.context.error == "FrozenInstanceError":
        yield _copies(found, target)


def _thawed(found: FrozenAssignment, statement: ast.stmt | None) -> Drafts:
    """Turn the whole into plain dicts before the assignment."""
    name = found.facts["name"]
    if statement is not None and name.isidentifier():
        text = f"{indent_of(found.module, statement)}{name} = {name}.unfreeze()"
        yield Draft(found.module).certain().add_lines(statement.lineno, text)


def _at_leaf(found: FrozenAssignment, target: ast.Attribute, statement: ast.Assign) -> Draft:
    """Write `model.w = w` as `model = eqx.tree_at(lambda m: m.w, model, w)`."""
    module, draft = found.module, Draft(found.module)
    owner, value = module.text(target.value), module.text(statement.value)
    tree_at = draft.name("equinox.tree_at")
    text = f"{owner} = {tree_at}(lambda m: m.{target.attr}, {owner}, {value})"
    ends = returned(found.frame.function) if found.frame.function is not None else []
    if found.frame.function is None or any(owner in names_in(e) for e in ends if e is not None):
        draft.certain()  # the changed copy reaches the caller
    return draft.replace(statement, text)


# ---------------------------------------------------------------- dataclasses


def _stores(found: FrozenAssignment, owner: str) -> list[tuple[ast.Attribute, Store]] | None:
    """List the assignments to attributes of one name in its function; None if one is not plain."""
    scope = found.frame.function or found.module.tree
    stores = []
    for node in own_nodes(scope):
        if not isinstance(node, ast.Attribute) or not isinstance(node.ctx, ast.Store):
            continue
        if path_of(node.value) != owner:
            continue
        parent = found.module.parents.get(node)
        is_plain = isinstance(parent, ast.Assign) and parent.targets == [node]
        if not is_plain and not isinstance(parent, ast.AugAssign):
            return None
        assert isinstance(parent, ast.Assign | ast.AugAssign)
        stores.append((node, parent))
    return stores


def _copies(found: FrozenAssignment, target: ast.Attribute) -> Draft | None:
    """Write `s.a = v` as `s = s.replace(a=v)`, all of one function, if the copy is returned."""
    module, function = found.module, found.frame.function
    if not isinstance(target.value, ast.Name):
        return None
    owner = target.value.id
    stores = _stores(found, owner)
    is_given = owner in set(parameter_names(function))
    ends = returned(function) if function is not None and is_given else []
    is_lost = is_given and not (ends and all(e and owner in names_in(e) for e in ends))
    if not stores or is_lost:
        return None
    draft = Draft(module).certain()
    for attribute, statement in stores:
        value = _new_value(module, attribute, statement)
        if not value:
            return None
        copy = _replace(found, draft, owner, attribute.attr, value)
        draft.replace(statement, f"{owner} = {copy}")
    return draft


def _new_value(module: Module, attribute: ast.Attribute, statement: Store) -> str:
    """Write what an assignment gives to an attribute; empty for operators that have no sign."""
    value = module.text(statement.value)
    if isinstance(statement, ast.Assign):
        return value
    sign = SIGNS.get(type(statement.op), "")
    return f"{module.text(attribute)} {sign} {atom(module, statement.value)}" if sign else ""


def _replace(found: FrozenAssignment, draft: Draft, owner: str, attr: str, value: str) -> str:
    """Write the call that makes the copy: a plain dataclass has no method for it."""
    if found.form == "record":
        return f"{owner}._replace({attr}={value})"
    made = _class_of(found, owner)
    plain = [
        path
        for decorator in (made.decorator_list if made is not None else ())
        if (path := found.module.dotted(getattr(decorator, "func", decorator)) or "")
    ]
    if "dataclasses.dataclass" in plain:
        return f"{draft.name('dataclasses.replace')}({owner}, {attr}={value})"
    return f"{owner}.replace({attr}={value})"


def _class_of(found: FrozenAssignment, owner: str) -> ast.ClassDef | None:
    fact = found.frame.fact(owner)
    name = last_part(fact.detail) if fact is not None else ""
    classes = [n for n in found.module.nodes if isinstance(n, ast.ClassDef) and n.name == name]
    return classes[0] if len(classes) == 1 else None


def _set_once(found: FrozenAssignment, target: ast.Attribute) -> Draft | None:
    """Set attributes in `__post_init__` past the check that the object is frozen."""
    stores = _stores(found, "self")
    if not stores or path_of(target.value) != "self":
        return None
    draft = Draft(found.module).certain()
    for attribute, statement in stores:
        value = _new_value(found.module, attribute, statement)
        if not value:
            return None
        draft.replace(statement, f'object.__setattr__(self, "{attribute.attr}", {value})')
    return draft


# ---------------------------------------------------------------- fields of a linen module


def _local_in_setup(found: FrozenAssignment, target: ast.Attribute) -> Draft | None:
    """Use a local name in `setup` in the place of a field; other methods read a new attribute."""
    module, setup = found.module, found.frame.function
    owner = module.parents.get(setup) if setup is not None else None
    stores = _stores(found, "self")
    if not isinstance(setup, ast.FunctionDef) or not isinstance(owner, ast.ClassDef) or not stores:
        return None
    attr = target.attr
    if attr in all_names(setup):
        return None  # the name has another meaning there
    inside = list(_self_attributes(setup, attr))
    others = [n for n in _self_attributes(owner, attr) if n not in inside]
    draft = Draft(module).certain()
    for node in inside:
        draft.replace(node, attr)
    first, last = setup.body[0], setup.body[-1]
    indent = indent_of(module, first)
    draft.add_lines(first.lineno, f"{indent}{attr} = self.{attr}")
    if others:
        draft.lines_after(last, f"{indent}self.actual_{attr} = {attr}")
        for node in others:
            draft.replace(node, f"self.actual_{attr}")
    return draft


def _self_attributes(scope: ast.AST, attr: str) -> Iterator[ast.Attribute]:
    """Yield the uses of an attribute of self."""
    for node in ast.walk(scope):
        if isinstance(node, ast.Attribute) and node.attr == attr and path_of(node.value) == "self":
            yield node


RULES = (Rule("assigned-to-frozen-object", raised(frozen_object), changed_copy),)
