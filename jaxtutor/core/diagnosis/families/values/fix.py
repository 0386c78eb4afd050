"""Owns the mending of what asks a Python or numpy value of a tracer."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxtutor.core.diagnosis.context import FrameContext
from jaxtutor.core.diagnosis.edits import Draft
from jaxtutor.core.diagnosis.reading import argument, bound_value
from jaxtutor.core.diagnosis.rewriting.expressions import atom
from jaxtutor.core.diagnosis.rewriting.site import Fixer, FixSite, static_argument
from jaxtutor.core.diagnosis.rules import Drafts
from jaxtutor.core.diagnosis.source import Module, path_of

# ---------------------------------------------------------------- other libraries' functions

_MATH = {
    "fabs": "abs",
    "pow": "power",
    "asin": "arcsin",
    "acos": "arccos",
    "atan": "arctan",
    "atan2": "arctan2",
    "asinh": "arcsinh",
    "acosh": "arccosh",
    "atanh": "arctanh",
    "fmean": "mean",
    "pstdev": "std",
    "pvariance": "var",
}
_SPECIAL = {"erf": "erf", "erfc": "erfc", "lgamma": "gammaln", "gamma": "gamma"}
_SAME = frozenset(
    """exp log log2 log10 log1p expm1 sqrt sin cos tan sinh cosh tanh floor ceil trunc hypot
    isnan isinf isfinite copysign degrees radians fmod cbrt exp2 mean median isclose prod gcd
    lcm dist nextafter ldexp frexp modf""".split()
)


def replacement(path: str) -> str | None:
    """Name the function of jax that does what one of math, numpy or scipy does."""
    home, _, name = path.rpartition(".")
    if home in ("math", "cmath", "statistics"):
        if name in _SPECIAL:
            return f"jax.scipy.special.{_SPECIAL[name]}"
        known = _MATH.get(name) or (name if name in _SAME else None)
        return f"jax.numpy.{known}" if known is not None else None
    if home == "scipy.special" and name in ("expit", "softmax", "log_softmax", "logsumexp"):
        known = {"expit": "sigmoid"}.get(name, name)
        return f"jax.nn.{known}"
    for mine, theirs in (("numpy", "jax.numpy"), ("scipy", "jax.scipy")):
        if path.startswith(mine + ".") and ".random." not in path and "._" not in path:
            return theirs + path[len(mine) :]
    return None


def library_call(site: FixSite) -> Drafts:
    """The function at fault becomes jax's own: this call, then all like it in the function."""
    found = site.call()
    if found is None:
        return
    frame, call = found
    draft = Draft(frame.module)
    if _put_library(draft, frame, call):
        yield draft
    yield _everywhere(frame, call)


def _put_library(draft: Draft, frame: FrameContext, call: ast.Call) -> bool:
    paths = (frame.module.dotted(call.func), frame.callee(call))
    new = next((known for path in paths if path and (known := replacement(path))), None)
    if new is None:
        return False
    draft.replace(call.func, draft.name(new))
    return True


def _everywhere(frame: FrameContext, call: ast.Call) -> Draft | None:
    """Replace every call of the same library in the function, not those on constants."""
    function = frame.function
    if function is None:
        return None
    draft = Draft(frame.module)
    home = (frame.callee(call) or "").partition(".")[0]
    count = 0
    for node in ast.walk(function):
        if isinstance(node, ast.Call) and _is_inner(function, node):
            path = frame.callee(node) or ""
            if path.partition(".")[0] == home and path.count(".") >= 1:
                count += _put_library(draft, frame, node)
    return draft if count > 1 else None


def _is_inner(function: ast.AST, node: ast.Call) -> bool:
    decorators = getattr(function, "decorator_list", [])
    return not any(node in ast.walk(d) for d in decorators)


# ---------------------------------------------------------------- conversions


def drop_conversion(site: FixSite) -> Drafts:
    """float(x) becomes x, and its history stays an array."""
    found = site.call()
    if found is None or len(found[1].args) != 1:
        return
    frame, call = found
    yield Draft(frame.module).replace(call, _bare(frame.module, call, call.args[0]))
    inner = frame.module.text(call.args[0])
    draft = Draft(frame.module)
    yield draft.replace(call, f"{draft.name('jax.numpy.asarray')}({inner}, dtype=float)")


def _bare(module: Module, call: ast.expr, inner: ast.expr) -> str:
    """Write what was inside a call in its place, in parentheses where they are needed."""
    outer = module.parents.get(call)
    alone = isinstance(
        outer, ast.Call | ast.Assign | ast.Return | ast.keyword | ast.Tuple | ast.List
    )
    return module.text(inner) if alone else atom(module, inner)


def to_integer(site: FixSite) -> Drafts:
    """int(x) becomes x.astype(int); where a size hangs on it, its argument is made static."""
    found = site.call()
    if found is None or len(found[1].args) != 1:
        return
    frame, call = found
    inner = call.args[0]
    draft = Draft(frame.module)
    text = f"{draft.name('jax.numpy.asarray')}({frame.module.text(inner)}).astype(int)"
    plain = f"{atom(frame.module, inner)}.astype(int)"
    kept = _is_library_result(frame, inner)
    yield draft.replace(call, plain) if kept else draft.replace(call, text)
    yield from static_argument(site)


def _is_library_result(frame: FrameContext, node: ast.expr) -> bool:
    """Tell whether an expression is an array also without jit: a call of jax's, a method of one."""
    path = frame.callee(node)
    if path is not None:
        return path.startswith("jax.")
    fact = frame.fact(node)
    if fact is not None and fact.kind in ("tracer", "array"):
        return not fact.detail.startswith("~")
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)


def drop_method(site: FixSite) -> Drafts:
    """x.item() becomes x, x.tolist() becomes x."""
    node = site.at if site.at is not None else site.node
    module = site.frame.module if site.frame is not None else site.module
    if module is None or not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return
    yield Draft(module).replace(node, _bare(module, node, node.func.value))


# ---------------------------------------------------------------- text


def to_debug_print(site: FixSite) -> Drafts:
    """A print of a formatted tracer becomes jax.debug.print."""
    frame, node = site.frame, site.at
    if frame is None or node is None:
        return
    module = frame.module
    statement = module.statement(node)
    call = statement.value if isinstance(statement, ast.Expr) else None
    if isinstance(call, ast.Call) and _is_print(module, call):
        yield debug_print(module, call)
    elif isinstance(statement, ast.Assign) and len(statement.targets) == 1:
        yield _print_of_name(module, statement)


def _print_of_name(module: Module, statement: ast.Assign) -> Draft | None:
    """Mend `line = f"…"` whose only use is a print."""
    name = getattr(statement.targets[0], "id", None)
    scope = module.scope(statement)
    used = [
        n
        for n in ast.walk(scope)
        if isinstance(n, ast.Name) and n.id == name and isinstance(n.ctx, ast.Load)
    ]
    call = module.parents.get(used[0]) if len(used) == 1 else None
    if not isinstance(call, ast.Call) or not _is_print(module, call) or len(call.args) != 1:
        return None
    draft = Draft(module)
    written = _format_call(draft, [statement.value], call)
    if written is None:
        return None
    return draft.replace(call, written).drop(statement)


def _is_print(module: Module, call: ast.Call) -> bool:
    written = path_of(call.func) or ""
    return (
        written == "print"
        or written.rpartition(".")[2]
        in (
            "info",
            "debug",
            "warning",
            "write",
        )
        or (module.dotted(call.func) or "").endswith("debug.print")
    )


def debug_print(module: Module, call: ast.Call) -> Draft | None:
    """Write a print as jax.debug.print, its values as arguments."""
    draft = Draft(module)
    text = _format_call(draft, call.args, call)
    return draft.replace(call, text) if text is not None else None


def _format_call(draft: Draft, args: list[ast.expr], call: ast.Call) -> str | None:
    if any(k.arg not in ("flush", "end", "file") for k in call.keywords):
        return None
    texts: list[str] = []
    values: list[str] = []
    for item in args:
        part = _template(draft.module, item)
        if part is None:
            return None
        texts.append(part[0])
        values.extend(part[1])
    given = "".join(f", {value}" for value in values)
    template = " ".join(texts).replace("\\", "\\\\").replace("\n", "\\n").replace('"', '\\"')
    return f'{draft.name("jax.debug.print")}("{template}"{given})'


def _template(module: Module, node: ast.expr) -> tuple[str, list[str]] | None:
    """Split what is printed into a format and its values."""
    match node:
        case ast.Constant(value=str(text)):
            return text.replace("{", "{{").replace("}", "}}"), []
        case ast.JoinedStr(values=values):
            return _joined(module, values)
        case ast.BinOp(left=ast.Constant(value=str(text)), op=ast.Mod(), right=right):
            return _percent(module, text, right)
        case ast.Call(func=ast.Attribute(value=ast.Constant(value=str(text)), attr="format")):
            if node.keywords:
                return None
            return text, [module.text(a) for a in node.args]
        case ast.Call(func=ast.Name(id="format"), args=[value, ast.Constant(value=str(spec))]):
            return f"{{:{spec}}}", [module.text(value)]
        case ast.Call(func=ast.Name(id="str" | "repr" | "float" | "int"), args=[value]):
            return "{}", [module.text(value)]
    return "{}", [module.text(node)]


def _joined(module: Module, values: list[ast.expr]) -> tuple[str, list[str]] | None:
    text, given = "", []
    for value in values:
        if isinstance(value, ast.Constant):
            text += str(value.value).replace("{", "{{").replace("}", "}}")
        elif isinstance(value, ast.FormattedValue):
            spec = value.format_spec
            shown = _literal(spec) if spec is not None else ""
            if shown is None:
                return None
            text += f"{{:{shown}}}" if shown else "{}"
            given.append(_inside(module, value.value))
    return text, given


def _inside(module: Module, node: ast.expr) -> str:
    """Write an expression of an f-string; Python 3.11 does not know its place exactly."""
    text = module.text(node)
    try:
        same = ast.dump(ast.parse(text, mode="eval").body) == ast.dump(node)
    except SyntaxError:
        same = False
    return text if same else ast.unparse(node)


def _literal(spec: ast.expr) -> str | None:
    parts = spec.values if isinstance(spec, ast.JoinedStr) else [spec]
    texts = [p.value for p in parts if isinstance(p, ast.Constant) and isinstance(p.value, str)]
    return "".join(texts) if len(texts) == len(parts) else None


def _percent(module: Module, text: str, right: ast.expr) -> tuple[str, list[str]] | None:
    import re

    values = right.elts if isinstance(right, ast.Tuple) else [right]
    found = re.findall(r"%(?:%|[-+ 0]?\d*(?:\.\d+)?[a-zA-Z])", text)
    fields = [f for f in found if f != "%%"]
    if len(fields) != len(values):
        return None
    text = text.replace("{", "{{").replace("}", "}}")
    for field in fields:
        kind = field[-1]
        spec = "" if kind in "srd" and len(field) == 2 else ":" + field[1:].replace("i", "d")
        text = text.replace(field, "{" + spec + "}", 1)
    return text.replace("%%", "%"), [module.text(v) for v in values]


# ---------------------------------------------------------------- buffers and tables


def buffer_to_array(site: FixSite) -> Drafts:
    """A numpy buffer becomes a jnp array, and every write into it an `.at` update."""
    frame = site.frame
    if frame is None or site.at is None:
        return
    module = frame.module
    statement = module.statement(site.at)
    target = _stored(statement)
    if target is None or not isinstance(target.value, ast.Name):
        return
    yield _as_jnp(frame, target.value.id)


def _stored(statement: ast.stmt | None) -> ast.Subscript | None:
    target: ast.expr | None = None
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
        target = statement.targets[0]
    elif isinstance(statement, ast.AugAssign):
        target = statement.target
    return target if isinstance(target, ast.Subscript) else None


def _as_jnp(frame: FrameContext, name: str) -> Draft | None:
    module, function = frame.module, frame.function
    if function is None:
        return None
    draft = Draft(module)
    made = [s for s in module.assignments(name, function) if isinstance(s, ast.Assign)]
    count = 0
    for statement in made:
        value = statement.value
        path = frame.callee(value) or ""
        if isinstance(value, ast.Call) and path.startswith("numpy."):
            draft.replace(value.func, draft.name("jax." + path))
            count += 1
        elif isinstance(value, ast.Call) and getattr(value.func, "attr", "") == "copy":
            draft.wrap(value, f"{draft.name('jax.numpy.array')}(", ")")
            count += 1
    if not count:
        return None
    for node in ast.walk(function):
        if isinstance(node, ast.stmt):
            target = _stored(node)
            if target is not None and path_of(target.value) == name:
                put_update(draft, node)
    return draft


_UPDATES: dict[type[ast.operator], str] = {
    ast.Add: "add",
    ast.Sub: "subtract",
    ast.Mult: "multiply",
    ast.Div: "divide",
    ast.Pow: "power",
}


def put_update(draft: Draft, statement: ast.stmt) -> bool:
    """Write `x[i] = v` or `x[i] += v` as an `.at` update."""
    module, target = draft.module, _stored(statement)
    value = getattr(statement, "value", None)
    if target is None or value is None:
        return False
    method = "set"
    if isinstance(statement, ast.AugAssign):
        method = _UPDATES.get(type(statement.op), "")
        if not method:
            return False
    base, index = module.text(_array_of(target)), _index_text(module, target)
    draft.replace(statement, f"{base} = {base}.at[{index}].{method}({module.text(value)})")
    return True


def _array_of(target: ast.Subscript) -> ast.expr:
    """Give what `x[i] = v` changes, or tries to as `x.at[i] = v`."""
    base = target.value
    return base.value if isinstance(base, ast.Attribute) and base.attr == "at" else base


def _index_text(module: Module, target: ast.Subscript) -> str:
    """Write an index as it stands between the brackets."""
    whole, base = module.text(target), module.text(target.value)
    if whole.startswith(base):
        inner = whole[len(base) :].strip()
        if inner.startswith("[") and inner.endswith("]"):
            return inner[1:-1]
    return module.text(target.slice)


def table_to_array(site: FixSite) -> Drafts:
    """A numpy table becomes a jnp array where it is indexed."""
    frame, node = site.frame, site.at
    if frame is None or not isinstance(node, ast.Subscript):
        return
    draft = Draft(frame.module)
    yield draft.wrap(node.value, f"{draft.name('jax.numpy.asarray')}(", ")")


def list_to_array(site: FixSite) -> Drafts:
    """A list of arrays becomes one array, a list of functions a switch."""
    frame, node = site.frame, site.at
    if frame is None or not isinstance(node, ast.Subscript):
        return
    module = frame.module
    call = module.parents.get(node)
    if isinstance(call, ast.Call) and call.func is node:
        draft = Draft(module)
        index, items = module.text(node.slice), module.text(node.value)
        args = "".join(f", {module.text(a)}" for a in call.args)
        yield draft.replace(call, f"{draft.name('jax.lax.switch')}({index}, {items}{args})")
    yield from _called_later(frame, node)
    draft = Draft(module)
    make = "jax.numpy.array" if _is_numbers(frame, node.value) else "jax.numpy.stack"
    yield draft.wrap(node.value, f"{draft.name(make)}(", ")")
    yield _tree_of(frame, node)
    yield from static_argument(site)


def _is_numbers(frame: FrameContext, node: ast.expr) -> bool:
    value = bound_value(frame.module, node)
    items = value.elts if isinstance(value, ast.List | ast.Tuple) else []
    return any(_is_plain(item) for item in items)


def _is_plain(node: ast.expr) -> bool:
    inner = node.operand if isinstance(node, ast.UnaryOp) else node
    if isinstance(inner, ast.List | ast.Tuple):
        return bool(inner.elts) and all(map(_is_plain, inner.elts))
    return isinstance(inner, ast.Constant)


def _called_later(frame: FrameContext, node: ast.Subscript) -> Iterator[Draft | None]:
    """Mend `g = FUNCTIONS[i]` with `g(x)` after it."""
    module = frame.module
    statement = module.parents.get(node)
    if not isinstance(statement, ast.Assign) or not isinstance(statement.targets[0], ast.Name):
        return
    name = statement.targets[0].id
    scope = module.scope(node)
    calls = [
        n
        for n in ast.walk(scope)
        if isinstance(n, ast.Call) and isinstance(n.func, ast.Name) and n.func.id == name
    ]
    if len(calls) != 1:
        return
    draft = Draft(module)
    args = "".join(f", {module.text(a)}" for a in calls[0].args)
    index, items = module.text(node.slice), module.text(node.value)
    draft.drop(statement)
    yield draft.replace(calls[0], f"{draft.name('jax.lax.switch')}({index}, {items}{args})")


def _tree_of(frame: FrameContext, node: ast.Subscript) -> Draft | None:
    """Stack the leaves of a list of pytrees and index each."""
    module, draft = frame.module, Draft(frame.module)
    items, index = module.text(node.value), module.text(node.slice)
    stack = draft.name("jax.numpy.stack")
    text = f"{draft.name('jax.tree.map')}(lambda *xs: {stack}(xs)[{index}], *{items})"
    return draft.replace(node, text)


def dict_to_array(site: FixSite) -> Drafts:
    """A dict looked up by small integers becomes an array of its values."""
    frame, node = site.frame, site.at
    if frame is None:
        return
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        holder, key = node.func.value, argument(node, 0)
    elif isinstance(node, ast.Subscript):
        holder, key = node.value, node.slice
    else:
        return
    value = bound_value(frame.module, holder)
    if key is None or not isinstance(value, ast.Dict) or not isinstance(node, ast.expr):
        return
    default = argument(node, 1) if isinstance(node, ast.Call) else None
    if isinstance(node, ast.Call) and (default is None or getattr(node.func, "attr", "") != "get"):
        return
    draft = _lookup(frame, node, value, frame.module.text(holder), key)
    yield draft if default is None else _or_else(frame, node, value, key, default)
    yield from static_argument(site)


def _lookup(
    frame: FrameContext, node: ast.expr, table: ast.Dict, name: str, key: ast.expr
) -> Draft | None:
    keys = _numbers(table)
    if keys is None:
        return None
    draft, module = Draft(frame.module), frame.module
    call = module.parents.get(node)
    if isinstance(call, ast.Call) and call.func is node:
        args = "".join(f", {module.text(a)}" for a in call.args)
        if keys != list(range(len(keys))):
            return None
        branches, text = f"list({name}.values())", module.text(key)
        return draft.replace(call, f"{draft.name('jax.lax.switch')}({text}, {branches}{args})")
    return draft.replace(node, _entry(draft, keys, name, key))


def _numbers(table: ast.Dict) -> list[int] | None:
    """List the keys of a dict, if all are whole numbers written out."""
    keys = [k.value for k in table.keys if isinstance(k, ast.Constant)]
    whole = [k for k in keys if type(k) is int]
    return whole if len(whole) == len(table.keys) else None


def _entry(draft: Draft, keys: list[int], name: str, key: ast.expr) -> str:
    """Write the entry of a table for a key that is one of its own."""
    array, text = draft.name("jax.numpy.array"), draft.module.text(key)
    if keys == list(range(len(keys))):
        return f"{array}(list({name}.values()))[{text}]"
    where = f"{draft.name('jax.numpy.searchsorted')}({array}(sorted({name})), {text})"
    return f"{array}([{name}[k] for k in sorted({name})])[{where}]"


def _or_else(
    frame: FrameContext, node: ast.expr, table: ast.Dict, key: ast.expr, default: ast.expr
) -> Draft | None:
    """Write a lookup with a default for keys that are not there."""
    draft, keys = Draft(frame.module), _numbers(table)
    if keys is None or not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return None
    module, name = frame.module, frame.module.text(node.func.value)
    known = f"{draft.name('jax.numpy.isin')}({module.text(key)}, {draft.name('jax.numpy.array')}"
    entry = _entry(draft, keys, name, key)
    where = draft.name("jax.numpy.where")
    text = f"{where}({known}(list({name}))), {entry}, {module.text(default)})"
    return draft.replace(node, text)


def tolist(site: FixSite) -> Drafts:
    """x.tolist() becomes x, over whose rows Python can go as well."""
    yield from drop_method(site)


FIXERS: dict[str, Fixer] = {
    "numpy-call-on-tracer": library_call,
    "scipy-call-on-tracer": library_call,
    "python-math-on-tracer": library_call,
    "float-on-tracer": drop_conversion,
    "int-on-tracer": to_integer,
    "item-on-tracer": drop_method,
    "tolist-on-tracer": tolist,
    "format-of-tracer": to_debug_print,
    "numpy-buffer-write": buffer_to_array,
    "traced-index-into-numpy": table_to_array,
    "traced-index-into-list": list_to_array,
    "traced-dict-key": dict_to_array,
}
