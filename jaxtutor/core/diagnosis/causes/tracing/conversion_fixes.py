"""Fixes calls that need a Python or NumPy value of a tracer."""

from __future__ import annotations

import ast

from jaxtutor.core.data.observations import ItemTaken
from jaxtutor.core.diagnosis.causes.tracing.conversions import (
    buffer_write,
    dict_key,
    float_of,
    format_of,
    index_into_list,
    index_into_numpy,
    int_of,
    item,
    numpy_call,
    python_math,
    scipy_call,
    tolist,
)
from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.editing.expressions import atom
from jaxtutor.core.diagnosis.editing.logs import debug_log, is_log
from jaxtutor.core.diagnosis.editing.printing import debug_print, is_print
from jaxtutor.core.diagnosis.editing.static_arguments import static_source
from jaxtutor.core.diagnosis.editing.updates import put_update, stored
from jaxtutor.core.diagnosis.engine.context import FrameContext
from jaxtutor.core.diagnosis.engine.matches import AtCall, AtFrame, AtNode, Finding
from jaxtutor.core.diagnosis.engine.rules import Rule, observed, raised
from jaxtutor.core.diagnosis.engine.source import Module, path_of
from jaxtutor.core.diagnosis.observed.arithmetic import at_frame
from jaxtutor.core.diagnosis.reading.calls import calls_in, method_of
from jaxtutor.core.diagnosis.reading.names import bound_value
from jaxtutor.core.diagnosis.reading.values import elements

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


def own_function(found: AtFrame) -> Drafts:
    """Call jax's own function: in this call, then in all like it in the function."""
    call = found.call
    if call is None:
        return
    draft = Draft(found.module)
    if _put_library(draft, found.frame, call):
        yield draft.certain() if _is_alike(found.frame.callee(call) or "") else draft
    yield _everywhere(found.frame, call)


_UNLIKE = frozenset({"ceil", "floor", "isclose", "trunc", "nextafter", "resize"})
"""Functions of math and numpy that give another type, or have other defaults, than jax's."""


def _is_alike(path: str) -> bool:
    """Return whether jax's function of a name does what that of another library does."""
    home, _, name = path.rpartition(".")
    is_density = home.startswith("scipy.stats.") and name in _DENSITIES
    return (home in ("math", "numpy", "scipy.special") and name not in _UNLIKE) or is_density


_DENSITIES = frozenset({"pdf", "logpdf", "pmf", "logpmf", "cdf", "logcdf", "sf", "logsf", "ppf"})
"""Functions of the distributions in `scipy.stats`, which those of `jax.scipy.stats` have too."""


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
    for node in calls_in(function):
        if _is_inner(function, node):
            path = frame.callee(node) or ""
            if path.partition(".")[0] == home and path.count(".") >= 1:
                count += _put_library(draft, frame, node)
    return draft if count > 1 else None


def _is_inner(function: ast.AST, node: ast.Call) -> bool:
    decorators = getattr(function, "decorator_list", [])
    return not any(node in ast.walk(d) for d in decorators)


# ---------------------------------------------------------------- conversions


def drop_conversion(found: AtCall) -> Drafts:
    """Write float(x) as x, or as an array of floats."""
    module, call = found.module, found.node
    if len(call.args) == 1:
        yield _logged(found)
        yield Draft(module).replace(call, _bare(module, call, call.args[0]))
        draft, inner = Draft(module), module.text(call.args[0])
        yield draft.replace(call, f"{draft.name('jax.numpy.asarray')}({inner}, dtype=float)")


def _logged(found: AtCall) -> Draft | None:
    """Write `losses.append(float(loss))` as a callback, which runs with the value each time."""
    module, statement = found.module, found.frame.statement
    call = statement.value if isinstance(statement, ast.Expr) else None
    is_log = isinstance(call, ast.Call) and call.args == [found.node] and not call.keywords
    if not isinstance(call, ast.Call) or not is_log or not isinstance(call.func, ast.Attribute):
        return None
    name = path_of(call.func.value)
    is_outer = name is not None and not module.assignments(name, module.scope(call))
    if call.func.attr != "append" or not is_outer:
        return None
    value, draft = found.node.args[0], Draft(module)
    callback, kind = draft.name("jax.debug.callback"), module.text(found.node.func)
    made = f"{callback}(lambda value: {name}.append({kind}(value)), {module.text(value)})"
    return draft.replace(call, made)


def _bare(module: Module, call: ast.expr, inner: ast.expr) -> str:
    """Write what was inside a call in its place, in parentheses where they are needed."""
    outer = module.parents.get(call)
    alone = isinstance(
        outer, ast.Call | ast.Assign | ast.Return | ast.keyword | ast.Tuple | ast.List
    )
    return module.text(inner) if alone else atom(module, inner)


def to_integer(found: AtCall) -> Drafts:
    """Write int(x) as x.astype(int); where it is needed as a size, make its argument static."""
    module, call = found.module, found.node
    if len(call.args) != 1:
        return
    inner, draft = call.args[0], Draft(module)
    if _is_library_result(found.frame, inner):
        yield draft.replace(call, f"{atom(module, inner)}.astype(int)")
    else:
        array = f"{draft.name('jax.numpy.asarray')}({module.text(inner)})"
        yield draft.replace(call, f"{array}.astype(int)")
    yield from static_source(found)


def _is_library_result(frame: FrameContext, node: ast.expr) -> bool:
    """Return whether an expression is an array also without jit: the result of jax or a method."""
    path = frame.callee(node)
    if path is not None:
        return path.startswith("jax.")
    fact = frame.fact(node)
    if fact is not None and fact.kind in ("tracer", "array"):
        return not fact.detail.startswith("~")
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)


def drop_method(found: AtCall) -> Drafts:
    """Write x.item() or x.tolist() as x."""
    yield _drop_method(found.module, found.node)


def drop_method_of_finding(found: Finding) -> Drafts:
    """Write x.item() as x."""
    if isinstance(found.node, ast.Call):
        yield _drop_method(found.module, found.node)


def _drop_method(module: Module, node: ast.Call) -> Draft | None:
    if not isinstance(node.func, ast.Attribute):
        return None
    return Draft(module).replace(node, _bare(module, node, node.func.value))


def print_at_run_time(found: AtFrame) -> Drafts:
    """Write a print of a formatted tracer as jax.debug.print."""
    module = found.module
    statement = module.statement(found.at) if found.at is not None else None
    call = statement.value if isinstance(statement, ast.Expr) else None
    if isinstance(call, ast.Call) and is_log(found.frame, call):
        yield debug_log(found.frame, call)
    elif isinstance(call, ast.Call) and is_print(module, call):
        yield debug_print(module, call)


# ---------------------------------------------------------------- buffers and tables


def buffer_to_array(found: AtNode) -> Drafts:
    """Make a jnp array of a numpy buffer, and an `.at` update of every write into it."""
    target = stored(found.module.statement(found.node))
    if target is not None and isinstance(target.value, ast.Name):
        yield _as_jnp(found.frame, target.value.id)


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
        elif method_of(value) == "copy":
            draft.wrap(value, f"{draft.name('jax.numpy.array')}(", ")")
            count += 1
    if not count:
        return None
    for node in ast.walk(function):
        if isinstance(node, ast.stmt):
            target = stored(node)
            if target is not None and path_of(target.value) == name:
                put_update(draft, node)
    return draft


def table_to_array(found: AtNode) -> Drafts:
    """Make a jnp array of a numpy table where it is indexed."""
    draft = Draft(found.module)
    if isinstance(found.node, ast.Subscript):
        yield draft.wrap(found.node.value, f"{draft.name('jax.numpy.asarray')}(", ")")


def list_to_array(found: AtNode) -> Drafts:
    """Make one array of a list of arrays, a switch of a list of functions."""
    frame, module, node = found.frame, found.module, found.node
    if not isinstance(node, ast.Subscript):
        return
    call = module.parents.get(node)
    if isinstance(call, ast.Call) and call.func is node:
        draft = Draft(module)
        yield draft.replace(call, _switch(draft, node, call))
    yield _called_later(module, node)
    draft = Draft(module)
    make = draft.name("jax.numpy.array" if _is_numbers(frame, node.value) else "jax.numpy.stack")
    statement = module.statement(node)
    if stored(statement) is not node:
        yield draft.wrap(node.value, f"{make}(", ")")
    elif statement is not None and put_update(draft, statement, make):
        yield draft
    yield _tree_of(frame, node)
    yield from static_source(found)


def _switch(draft: Draft, functions: ast.Subscript, call: ast.Call) -> str:
    """Write the call of one of some functions as a switch."""
    index, items = draft.module.text(functions.slice), draft.module.text(functions.value)
    args = "".join(f", {draft.module.text(a)}" for a in call.args)
    return f"{draft.name('jax.lax.switch')}({index}, {items}{args})"


def _is_numbers(frame: FrameContext, node: ast.expr) -> bool:
    value = bound_value(frame.module, node)
    items = elements(value)
    return any(_is_literal(item) for item in items)


def _is_literal(node: ast.expr) -> bool:
    inner = node.operand if isinstance(node, ast.UnaryOp) else node
    if isinstance(inner, ast.List | ast.Tuple):
        return bool(inner.elts) and all(map(_is_literal, inner.elts))
    return isinstance(inner, ast.Constant)


def _called_later(module: Module, node: ast.Subscript) -> Draft | None:
    """Write `g = FUNCTIONS[i]` with `g(x)` after it as a switch."""
    statement = module.parents.get(node)
    if not isinstance(statement, ast.Assign) or not isinstance(statement.targets[0], ast.Name):
        return None
    called = list(calls_in(module.scope(node)))
    calls = [n for n in called if getattr(n.func, "id", None) == statement.targets[0].id]
    if len(calls) != 1:
        return None
    draft = Draft(module)
    return draft.drop(statement).replace(calls[0], _switch(draft, node, calls[0]))


def _tree_of(frame: FrameContext, node: ast.Subscript) -> Draft | None:
    """Stack the leaves of a list of pytrees and index each."""
    module, draft = frame.module, Draft(frame.module)
    items, index = module.text(node.value), module.text(node.slice)
    stack = draft.name("jax.numpy.stack")
    text = f"{draft.name('jax.tree.map')}(lambda *xs: {stack}(xs)[{index}], *{items})"
    return draft.replace(node, text)


def dict_to_array(found: AtFrame) -> Drafts:
    """Make an array of the values of a dict that is looked up by small integers."""
    module, node = found.module, found.at
    if not isinstance(node, ast.Subscript):
        return
    table = bound_value(module, node.value)
    keys = _integer_keys(table) if isinstance(table, ast.Dict) else None
    is_called = getattr(module.parents.get(node), "func", None) is node
    if keys is not None and not is_called:
        draft = Draft(module)
        yield draft.replace(node, _entry(draft, keys, module.text(node.value), node.slice))
    if isinstance(table, ast.Dict):
        yield from static_source(found)


def _integer_keys(table: ast.Dict) -> list[int] | None:
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


RULES = (
    Rule("numpy-buffer-write", raised(buffer_write), buffer_to_array),
    Rule("float-on-tracer", raised(float_of), drop_conversion),
    Rule("int-on-tracer", raised(int_of), to_integer),
    Rule("item-on-tracer", raised(item), drop_method),
    Rule("tolist-on-tracer", raised(tolist), drop_method),
    Rule("python-math-on-tracer", raised(python_math), own_function),
    Rule("format-of-tracer", raised(format_of), print_at_run_time),
    Rule("scipy-call-on-tracer", raised(scipy_call), own_function),
    Rule("traced-index-into-numpy", raised(index_into_numpy), table_to_array),
    Rule("traced-index-into-list", raised(index_into_list), list_to_array),
    Rule("traced-dict-key", raised(dict_key), dict_to_array),
    Rule("numpy-call-on-tracer", raised(numpy_call), own_function),
    Rule("item-on-tracer", observed((ItemTaken, at_frame)), drop_method_of_finding),
)
