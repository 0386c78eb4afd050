"""Matches and fixes carries that a loop's body returns with another structure."""

from __future__ import annotations

import ast
import re

from msgspec.structs import replace

from jaxtutor.core.diagnosis.causes.loops.loops import (
    LOOPS,
    InLoop,
    in_loop,
    place_of_result,
)
from jaxtutor.core.diagnosis.causes.loops.scan_pairs import return_pair
from jaxtutor.core.diagnosis.causes.loops.state_classes import make_objects
from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.named_parts import NamedPart, in_words, named_parts
from jaxtutor.core.diagnosis.engine.rules import Rule, raised
from jaxtutor.core.diagnosis.engine.source import Location, Module, own_nodes, path_of
from jaxtutor.core.diagnosis.engine.transforms import AppliedTransform
from jaxtutor.core.diagnosis.reading.calls import argument
from jaxtutor.core.diagnosis.reading.functions import result_of
from jaxtutor.core.diagnosis.reading.names import bound_value
from jaxtutor.core.diagnosis.reading.values import is_none


def carry_structure(context: FailureContext) -> InLoop | None:
    """The body of a loop returns its carry with another structure."""
    found = in_loop(context, *LOOPS)
    said = next((p for p in named_parts(context.message) if p.role == "carried"), None)
    if found is None:
        return None
    facts = {}
    if said is not None:
        facts = {
            "name": said.path,
            "argument": in_words(said.said),
            "container": in_words(said.other),
        }
    form = _structure_form(found, said) if said is not None else ""
    if form:
        return replace(found, place=place_of_result(found), facts=facts, form=form)
    keys = re.search(r"symmetric difference of key sets: \{([^}]*)\}", context.message)
    if keys is None or said is None:
        return replace(found, place=place_of_result(found), facts=facts)
    names = re.findall(r"'(\w+)'", keys[1])
    places = _key_places(context, names[0]) if len(names) == 1 else []
    facts["argument"] = ", ".join(f"`{name}`" for name in names)
    in_body = any(_is_in_body(found, place) for place in places)
    if places and not in_body and _loses_children(said):
        return replace(found, place=place_of_result(found), facts=facts, form="lost")
    place = places[0] if len(places) == 1 else place_of_result(found)
    return replace(found, place=place, facts=facts, form="keys")


def _structure_form(found: InLoop, part: NamedPart) -> str:
    """Name what the body returns instead of the carry, where its `return` shows it."""
    lengths = [re.fullmatch(r"an? \w+ of length (\d+)", t) for t in (part.said, part.other)]
    before, after = (int(length[1]) if length is not None else 0 for length in lengths)
    if all(lengths) and after > before:
        return "grows"
    returned = result_of(found.function) if found.function is not None else None
    if found.loop is None or not isinstance(returned, ast.Tuple) or len(returned.elts) != 2:
        return ""
    if whole_carry(found):
        return "part"
    if found.loop.kind == "scan":
        is_whole = not part.keys and in_words(part.said) == "a tuple"
        return "pair" if is_whole and _starts_with_two(found.loop) else ""
    last = returned.elts[1]
    return "alone" if is_none(last) else ""


def whole_carry(found: InLoop) -> str:
    """Write the carry of which a scan's body returns one part: `(h, c)`; else empty.

    The part is a name that one assignment took from a tuple together with the other parts.
    """
    returned = result_of(found.function) if found.function is not None else None
    if not isinstance(returned, ast.Tuple) or found.loop is None or found.function is None:
        return ""
    names = [path_of(element) for element in returned.elts]
    for node in own_nodes(found.function):
        match node:
            case ast.Assign(targets=[ast.Tuple(elts=parts)]) if found.loop.kind == "scan":
                taken = [path_of(part) for part in parts]
                if names[0] in taken and None not in taken and not set(names[1:]) & set(taken):
                    return f"({', '.join(str(name) for name in taken)})"
    return ""


def _starts_with_two(scan: AppliedTransform) -> bool:
    init = argument(scan.call, 1, "init") if scan.call is not None else None
    start = bound_value(scan.module, init) if init is not None else None
    return isinstance(start, ast.Tuple) and len(start.elts) == 2


def _loses_children(part: NamedPart) -> bool:
    """Return whether a part of the carry comes out with fewer children than it went in with."""
    counts = [re.search(r"with (\d+) child", text) for text in (part.said, part.other)]
    before, after = (int(count[1]) if count is not None else 0 for count in counts)
    return after < before


def _key_places(context: FailureContext, key: str) -> list[Location]:
    """Return where the program sets a key of a dict."""
    return [
        module.location(module.statement(node) or node)
        for module in context.modules.values()
        for node in module.nodes
        if isinstance(node, ast.Constant) and node.value == key and _sets_key(module, node)
    ]


def _is_in_body(found: InLoop, place: Location) -> bool:
    """Return whether a place is in the loop's body, as far as that is known."""
    body, loop = found.function, found.loop
    if body is None or loop is None or place.file != loop.module.file:
        return True
    return body.lineno <= place.span.line <= (body.end_lineno or body.lineno)


def _sets_key(module: Module, key: ast.Constant) -> bool:
    parent = module.parents.get(key)
    if isinstance(parent, ast.Dict):
        return key in parent.keys
    return isinstance(parent, ast.Subscript) and isinstance(parent.ctx, ast.Store)


def return_carry(found: InLoop) -> Drafts:
    """Add the output that a scan's body lacks; drop the one that another loop does not take."""
    if found.form == "pair":
        yield from return_pair(found)
    if found.facts.get("container") == "a tuple":
        yield from make_objects(
            found, found.facts.get("argument", "").removeprefix("a ").strip("`")
        )
    value = result_of(found.function) if found.function is not None else None
    if found.form == "part" and isinstance(value, ast.Tuple) and found.loop is not None:
        yield Draft(found.loop.module).certain().replace(value.elts[0], whole_carry(found))
    if found.form == "alone" and isinstance(value, ast.Tuple) and found.loop is not None:
        module = found.loop.module
        yield Draft(module).replace(value, module.text(value.elts[0]))


RULES = (Rule("loop-carry-structure-mismatch", raised(carry_structure), return_carry),)
