"""Owns the mending of what a library's function is given: lists, numbers, keys, options."""

from __future__ import annotations

import ast
import re

from jaxtutor.core.data.model import Span
from jaxtutor.core.diagnosis.context import FrameContext
from jaxtutor.core.diagnosis.edits import Draft
from jaxtutor.core.diagnosis.families.arguments.shapes import joins
from jaxtutor.core.diagnosis.families.static_args.match import unreadable_argument
from jaxtutor.core.diagnosis.reading import argument, block_of, is_number, keyword_of, parameters
from jaxtutor.core.diagnosis.rewriting.expressions import add_argument, fresh_name, indent_of
from jaxtutor.core.diagnosis.rewriting.printing import debug_print
from jaxtutor.core.diagnosis.rewriting.site import Fixer, FixSite
from jaxtutor.core.diagnosis.rewriting.static_arguments import drop_option
from jaxtutor.core.diagnosis.rules import Drafts
from jaxtutor.core.diagnosis.source import Module, path_of
from jaxtutor.core.diagnosis.transforms import applied

# ---------------------------------------------------------------- lists and numbers


def as_sequence(site: FixSite) -> Drafts:
    """Arrays passed one by one become one tuple."""
    found = site.call()
    if found is None:
        return
    frame, call = found
    if joins(frame.dotted(call.args[0] if call.args else None)):
        yield Draft(frame.module).wrap(call.args[0], "lambda *xs: ", "(xs)")
        return
    arrays = [a for a in call.args if not is_number(a)]
    if len(arrays) < 2:
        return
    first, last = frame.module.span(arrays[0]), frame.module.span(arrays[-1])
    draft = Draft(frame.module)
    place = Span(first.line, first.column, last.end_line, last.end_column)
    yield draft.replace(place, f"({frame.module.text(place)})")


def as_array(site: FixSite) -> Drafts:
    """A list becomes an array where it is passed."""
    found = site.call()
    if found is None:
        return
    frame, call = found
    said = re.search(r"at position (\d+)", site.message)
    position = int(said[1]) if said is not None else 0
    lists = [a for a in call.args if frame.kind(a) in ("list", "tuple") or _is_list(a)]
    given = call.args[position] if position < len(call.args) else None
    for item in dict.fromkeys([*([given] if given is not None else []), *lists]):
        draft = Draft(frame.module)
        yield draft.wrap(item, f"{draft.name('jax.numpy.asarray')}(", ")")


def _is_list(node: ast.expr) -> bool:
    return isinstance(node, ast.List | ast.ListComp)


def scalar_to_array(site: FixSite) -> Drafts:
    """A Python number becomes an array before its attribute is asked for."""
    frame, node = site.frame, site.at
    if frame is None:
        return
    value = node.value if isinstance(node, ast.Attribute) else None
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        value = node.func.value
    if value is None:
        return
    draft = Draft(frame.module)
    text, array = frame.module.text(value), draft.name("jax.numpy.asarray")
    span = frame.module.span(value)
    lines = frame.module.lines
    before, after = lines[span.line - 1][: span.column], lines[span.end_line - 1][span.end_column :]
    is_wrapped = before.endswith("(") and after.startswith(")")
    yield (
        draft.replace(value, f"{array}({text})")
        if not is_wrapped
        else draft.replace(
            Span(span.line, span.column - 1, span.end_line, span.end_column + 1), f"{array}({text})"
        )
    )


# ---------------------------------------------------------------- classes


def register(site: FixSite) -> Drafts:
    """A dataclass is registered as a pytree, and so is a class that only holds its arguments."""
    found = unreadable_argument(site.context) if site.context is not None else None
    said = re.search(r"type <class '([^']*)'>", site.message)
    kind = found[0] if found is not None else said[1] if said is not None else ""
    name = kind.rpartition(".")[2]
    for module in site.modules.values():
        for node in ast.walk(module.tree):
            if isinstance(node, ast.ClassDef) and node.name == name:
                yield _register(module, node)


def _register(module: Module, node: ast.ClassDef) -> Draft | None:
    draft = Draft(module)
    indent = indent_of(module, node)
    for decorator in node.decorator_list:
        path = path_of(getattr(decorator, "func", decorator)) or ""
        if path.rpartition(".")[2] == "dataclass":
            name = draft.name("jax.tree_util.register_dataclass")
            return draft.add_lines(decorator.lineno, f"{indent}@{name}")
    fields = _held(node)
    if not fields:
        return None
    register = draft.name("jax.tree_util.register_pytree_node")
    values = ", ".join(f"item.{field}" for field in fields)
    comma = "," if len(fields) == 1 else ""
    lines = [
        "",
        "",
        f"{indent}{register}(",
        f"{indent}    {node.name},",
        f"{indent}    lambda item: (({values}{comma}), None),",
        f"{indent}    lambda _, parts: {node.name}(*parts),",
        f"{indent})",
    ]
    return draft.lines_after(node, "\n".join(lines))


def _held(node: ast.ClassDef) -> list[str]:
    """List the attributes of a class whose `__init__` only stores its arguments, in their order."""
    init = next(
        (n for n in node.body if isinstance(n, ast.FunctionDef) and n.name == "__init__"), None
    )
    if init is None:
        return []
    names = [a.arg for a in parameters(init)][1:]
    stored = {}
    for statement in init.body:
        match statement:
            case ast.Assign(
                targets=[ast.Attribute(value=ast.Name(id="self"), attr=attr)],
                value=ast.Name(id=name),
            ):
                stored[name] = attr
            case ast.Expr(value=ast.Constant()):
                continue
            case _:
                return []
    return [stored[n] for n in names] if set(names) == set(stored) else []


def uncached(site: FixSite) -> Drafts:
    """A function that is given arrays is not cached."""
    for module in site.modules.values():
        for function in module.functions:
            for decorator in getattr(function, "decorator_list", []):
                path = path_of(getattr(decorator, "func", decorator)) or ""
                last = path.rpartition(".")[2]
                if last in ("lru_cache", "cache"):
                    draft = Draft(module)
                    yield draft.replace(
                        Span(decorator.lineno, 0, (decorator.end_lineno or 0) + 1, 0), ""
                    )
                elif last == "cached_property":
                    yield Draft(module).replace(decorator, "property")


# ---------------------------------------------------------------- keys


def split_key(site: FixSite) -> Drafts:
    """A key that is used twice is split before its first use."""
    module, node = site.module, site.node
    call = node if isinstance(node, ast.Call) else None
    if module is None or call is None:
        return
    keys = [a for a in [*call.args, *(k.value for k in call.keywords)] if path_of(a) is not None]
    for key in keys[:2]:
        yield _split(module, call, key)


def _split(module: Module, call: ast.Call, key: ast.expr) -> Draft | None:
    name, statement = module.text(key), module.statement(call)
    if statement is None:
        return None
    first = _first_use(module, statement, name)
    if first is None:
        return None
    use, before = first
    draft = Draft(module)
    sub = fresh_name(module, "subkey", "fresh_key")
    indent = indent_of(module, before)
    split = draft.name("jax.random.split")
    draft.replace(use, sub)
    return draft.add_lines(before.lineno, f"{indent}{name}, {sub} = {split}({name})")


def _first_use(module: Module, fault: ast.stmt, name: str) -> tuple[ast.expr, ast.stmt] | None:
    """Find the first read of a key in the block of the fault, and its statement."""
    for statement in block_of(module, fault):
        reads = [n for n in ast.walk(statement) if _is_read(n, name)]
        if statement is not fault and _binds(statement, name):
            continue
        if reads and isinstance(reads[0], ast.expr):
            return reads[0], statement
        if statement is fault:
            return None
    return None


def _is_read(node: ast.AST, name: str) -> bool:
    return (
        isinstance(node, ast.Name | ast.Attribute)
        and isinstance(node.ctx, ast.Load)
        and path_of(node) == name
    )


def _binds(statement: ast.stmt, name: str) -> bool:
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    return any(path_of(t) == name for target in targets for t in ast.walk(target))


def raw_key(site: FixSite) -> Drafts:
    """The numbers of a typed key are asked for by name."""
    frame, node = site.frame, site.at
    if frame is None:
        return
    base = node.value if isinstance(node, ast.Subscript | ast.Attribute) else None
    if base is None and isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        base = node.func.value
    bases = [base] if base is not None else _keys_in(frame, node)
    for item in bases:
        draft = Draft(frame.module)
        yield draft.wrap(item, f"{draft.name('jax.random.key_data')}(", ")")
    draft, count = Draft(frame.module), 0
    for call in ast.walk(frame.module.tree):
        if isinstance(call, ast.Call) and frame.module.dotted(call.func) == "jax.random.key":
            draft.replace(call.func, draft.name("jax.random.PRNGKey"))
            count += 1
    yield draft if count else None


def _keys_in(frame: FrameContext, node: ast.AST | None) -> list[ast.expr]:
    found = list(ast.walk(node)) if node is not None else []
    return [
        n
        for n in found
        if isinstance(n, ast.Name | ast.Attribute)
        and (fact := frame.fact(n)) is not None
        and (fact.kind == "typed_key" or "key<" in fact.detail)
    ]


# ---------------------------------------------------------------- formats and options


def print_format(site: FixSite) -> Drafts:
    """The format of jax.debug.print has a field for each value, and no value inside."""
    found = site.call()
    if found is None or not found[1].args:
        return
    frame, call = found
    first = call.args[0]
    if isinstance(first, ast.JoinedStr):
        yield _put_print(frame, call)
    elif isinstance(first, ast.Constant) and isinstance(first.value, str):
        yield _fields(frame, call, first.value)


def _put_print(frame: FrameContext, call: ast.Call) -> Draft | None:
    bare = ast.Call(call.func, [call.args[0]], [])
    ast.copy_location(bare, call)
    return debug_print(frame.module, bare)


def _fields(frame: FrameContext, call: ast.Call, text: str) -> Draft | None:
    """Name a positional value after the field that asks for it, or add the fields missing."""
    names = re.findall(r"{(\w+)[^{}]*}", text)
    given = {k.arg for k in call.keywords}
    missing = [n for n in names if not n.isdigit() and n not in given]
    values = call.args[1:]
    draft = Draft(frame.module)
    if missing and len(missing) == len(values):
        for name, value in zip(missing, values, strict=True):
            draft.before(value, f"{name}=")
        return draft
    if missing and not values:
        return add_argument(draft, call, ", ".join(f"{n}={n}" for n in missing))
    fields = len(re.findall(r"{}|{:[^{}]*}", text))
    if fields < len(values):
        inner = frame.module.text(call.args[0])
        more = " {}" * (len(values) - fields)
        return draft.replace(call.args[0], inner[:-1] + more + inner[-1])
    return None


def functionalized(site: FixSite) -> Drafts:
    """A compiled function with checks is called through checkify, and its error thrown."""
    found = site.call()
    if found is None:
        return
    frame, call = found
    module, statement = frame.module, frame.module.parents.get(call)
    draft = Draft(module)
    checked = f"{draft.name('jax.experimental.checkify.checkify')}({module.text(call.func)})"
    error = fresh_name(module, "error", "failed")
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
        draft.before(statement.targets[0], f"{error}, ").replace(call.func, checked)
        yield draft.lines_after(statement, f"{indent_of(module, statement)}{error}.throw()")
    elif isinstance(statement, ast.Expr):
        draft.before(call, f"{error}, _ = ").replace(call.func, checked)
        yield draft.lines_after(statement, f"{indent_of(module, statement)}{error}.throw()")
    elif isinstance(statement, ast.Return):
        result, indent = fresh_name(module, "result", "answer"), indent_of(module, statement)
        text = module.text(call)[len(module.text(call.func)) :]
        lines = [
            f"{error}, {result} = {checked}{text}",
            f"{indent}{error}.throw()",
            f"{indent}return {result}",
        ]
        yield draft.replace(statement, "\n".join(lines))


def only_if_given(site: FixSite) -> Drafts:
    """An update with what may be None is made only where there is something."""
    frame = site.frame
    statement = frame.statement if frame is not None else None
    if frame is None or not isinstance(statement, ast.Assign | ast.AugAssign):
        return
    target = statement.target if isinstance(statement, ast.AugAssign) else statement.targets[0]
    reads = {n.id for n in ast.walk(statement.value) if isinstance(n, ast.Name)}
    is_update = isinstance(statement, ast.AugAssign) or getattr(target, "id", None) in reads
    given = {a.arg for a in parameters(frame.function)}
    missing = [name for name in sorted(reads & given) if frame.kind(name) == "none"]
    if is_update and len(missing) == 1:
        indent = indent_of(frame.module, statement)
        draft = Draft(frame.module)
        yield draft.before(statement, f"if {missing[0]} is not None:\n{indent}    ")


def keep_buffer(site: FixSite) -> Drafts:
    """A buffer that is read later is not donated."""
    for module in site.modules.values():
        for item in applied(module):
            for name in ("donate_argnums", "donate_argnames"):
                option = keyword_of(item.call, name) if item.call is not None else None
                if option is not None and item.call is not None:
                    draft = Draft(module)
                    if drop_option(draft, item.call, option, is_decorator=item.is_decorator):
                        yield draft


def automatic_axes(site: FixSite) -> Drafts:
    """The axes of the mesh are left to the compiler."""
    for module in site.modules.values():
        for call in ast.walk(module.tree):
            path = module.dotted(call.func) if isinstance(call, ast.Call) else None
            if isinstance(call, ast.Call) and path in ("jax.make_mesh", "jax.sharding.make_mesh"):
                yield _automatic(module, call)


def _automatic(module: Module, call: ast.Call) -> Draft | None:
    names = argument(call, 1, "axis_names")
    if not isinstance(names, ast.Tuple | ast.List):
        return None
    draft = Draft(module)
    kind = draft.name("jax.sharding.AxisType.Auto")
    option = keyword_of(call, "axis_types")
    text = f"({kind},) * {len(names.elts)}"
    if option is not None:
        return draft.replace(option.value, text)
    return add_argument(draft, call, f"axis_types={text}")


def callback_shape(site: FixSite) -> Drafts:
    """The shape that a host function gives is the one that was declared."""
    got = re.search(r"Actual: \(([\d, ]*)\)", site.message)
    dims = got[1].strip() if got is not None else None
    for module in site.modules.values():
        for call in ast.walk(module.tree):
            path = module.dotted(call.func) if isinstance(call, ast.Call) else None
            if isinstance(call, ast.Call) and path == "jax.ShapeDtypeStruct":
                shape = argument(call, 0, "shape")
                if shape is not None and dims is not None:
                    yield Draft(module).replace(shape, f"({dims})")
                yield _declared(site, module, call)


def _declared(site: FixSite, module: Module, call: ast.Call) -> Draft | None:
    said = re.search(r"Expected: (\w+), Actual: (\w+)", site.message)
    dtype = argument(call, 1, "dtype")
    if said is None or dtype is None:
        return None
    draft = Draft(module)
    return draft.replace(dtype, draft.name(f"jax.numpy.{said[2]}"))


FIXERS: dict[str, Fixer] = {
    "concat-not-sequence": as_sequence,
    "list-argument": as_array,
    "python-scalar-not-array": scalar_to_array,
    "not-a-jax-type": register,
    "unhashable-array-in-cache": uncached,
    "prng-key-reuse": split_key,
    "typed-key-as-raw-array": raw_key,
    "debug-print-format": print_format,
    "checkify-not-functionalized": functionalized,
    "none-argument": only_if_given,
    "use-after-donation": keep_buffer,
    "mesh-axis-type-mismatch": automatic_axes,
    "callback-result-mismatch": callback_shape,
}
