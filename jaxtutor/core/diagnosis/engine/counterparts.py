"""Says what JAX has for an expression of NumPy or PyTorch, with the learner's names filled in."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from functools import cache

from msgspec import Struct

from jaxtutor.core.data.counterparts import VARIABLE, Equivalent, Group, plain_code
from jaxtutor.core.diagnosis.causes.jax_api.jax_names import NAMES
from jaxtutor.core.diagnosis.causes.tracing.conversion_fixes import replacement
from jaxtutor.core.diagnosis.editing.expressions import atom
from jaxtutor.core.diagnosis.engine.context import FrameContext
from jaxtutor.core.diagnosis.engine.pages import Cause
from jaxtutor.core.diagnosis.engine.source import Module, path_of
from jaxtutor.core.diagnosis.reading.names import bound_value
from jaxtutor.core.diagnosis.reading.patterns import first_match

ALIKE = 0.8
"""How alike two names are, of 1, for one of them to be a misspelling of the other."""
LONGEST = 88
"""Characters of a filled line: it stands inside a sentence."""
_REST = re.compile(r"(, )?\.\.\.(, )?")
_CHANGES = re.compile(r"in-?place|immutable")
_HOMES = {"np": "numpy", "jnp": "jax.numpy"}
_IMPORTS = {
    "jnp": "import jax.numpy as jnp",
    "np": "import numpy as np",
    "jax": "import jax",
}
_KEYWORDS = {"dim": "axis", "keepdim": "keepdims", "a_min": "min", "a_max": "max", "input": ""}
"""Arguments of PyTorch, and of NumPy's `clip`, as JAX calls them."""
_IGNORED = frozenset({"out", "casting", "order", "subok", "like", "signature"})
"""Arguments of NumPy for arrays that change and for memory, which JAX has no use for."""
_DRAWS = {"rand": "uniform", "random": "uniform", "randn": "normal", "integers": "randint"}
"""Functions of NumPy that draw, as `jax.random` calls them."""

ELEMENTWISE = frozenset(
    """abs absolute acos acosh add arccos arccosh arcsin arcsinh arctan arctan2 arctanh asin
    asinh atan atan2 atanh bitwise_and bitwise_count bitwise_invert bitwise_left_shift
    bitwise_not bitwise_or bitwise_right_shift bitwise_xor cbrt ceil concat conj conjugate
    copysign cos cosh deg2rad degrees divide divmod equal exp exp2 expm1 fabs float_power
    floor floor_divide fmax fmin fmod frexp gcd greater greater_equal heaviside hypot
    invert isfinite isinf isnan lcm ldexp left_shift less less_equal log log10 log1p log2
    logaddexp logaddexp2 logical_and logical_not logical_or logical_xor matmul matvec
    maximum minimum mod modf multiply negative nextafter not_equal positive pow power
    rad2deg radians reciprocal remainder right_shift rint sign signbit sin sinh spacing
    sqrt square subtract tan tanh true_divide trunc vecdot vecmat""".split()
)
"""Functions that take `where=` or `dtype=` in NumPy, and neither in JAX."""


class Expression(Struct, frozen=True):
    """An expression of the learner's, and the path of its function, if that is known."""

    module: Module
    node: ast.Call | ast.BinOp | ast.Attribute
    path: str | None
    has_key: bool = False  # the first argument is a random key


def describe_counterpart(
    cause: Cause, frame: FrameContext | None, node: ast.AST | None
) -> Mapping[str, str]:
    """Return the fact of a page's form for counterparts: what to write.

    Empty if neither the table nor the names of JAX have anything for the expression.
    """
    at = _expression(frame, node) if frame is not None else None
    instead = _instead(at, list(_rows(at, cause.counterparts))) if at is not None else ""
    return {"instead": instead} if instead else {}


def advise_from_table(
    frame: FrameContext | None, node: ast.AST | None, message: str, table: Sequence[Group]
) -> str:
    """Say what to write for an expression that failed without a cause, if the table has it.

    It has to be of arrays of JAX: NumPy on its own arrays fails for other reasons. A function of
    JAX has the advice of NumPy's only where it was refused because it changes its argument.
    """
    at = _expression(frame, node) if frame is not None else None
    if at is None or frame is None:
        return ""
    if (at.path or "").startswith("jax") and _CHANGES.search(message) is None:
        return ""
    kinds = {frame.kind(part) for part in ast.walk(at.node) if isinstance(part, ast.expr)}
    is_of_jax = bool(kinds & {"tracer", "array", "typed_key"})
    rows = [row for row in _rows_of_table(at, table) if "$" not in row.jax or _fill(at, row)]
    return _instead(at, rows) if is_of_jax else ""


def translations(
    frame: FrameContext, library: str, table: Sequence[Group]
) -> Iterator[tuple[str, str]]:
    """Yield the calls of a library in a file, each with the sentence on what JAX has for it."""
    for call in frame.module.calls:
        at = _expression(frame, call)
        if at is not None and (at.path or "").startswith(f"{library}."):
            rows = list(_rows(at, table))
            line = next(filter(None, (_fill(at, row) for row in rows)), "")
            text = " ".join(frame.module.text(call).split())
            if line:
                yield text, f"For `{text}` write `{line}`."
            elif rows:
                yield text, f"For `{text}` use `{plain_code(rows[0].jax)}`. {rows[0].says}"


def _instead(at: Expression, rows: Sequence[Equivalent]) -> str:
    """Say what to write by the first row that can be filled in, or else by the first."""
    filled = ((row, _fill(at, row)) for row in rows)
    first = (rows[0], "") if rows else None
    found = next((it for it in filled if it[1]), first)
    return " ".join(_advice(at.module, *found)) if found is not None else ""


def _rows_of_table(at: Expression, table: Sequence[Group]) -> Iterator[Equivalent]:
    """Yield the rows of the table for an expression, by its name."""
    names = set(_names(at))
    for group in table:
        for row in group.row:
            if any(_name(pattern) in names for pattern in row.typed):
                yield row


def _rows(at: Expression, table: Sequence[Group]) -> Iterator[Equivalent]:
    """Yield the rows for an expression, then what JAX has of the same name."""
    same = list(_same_name(at))
    yield from (same if at.has_key else ())
    yield from _rows_of_table(at, table)
    yield from same


# ---------------------------------------------------------------- the expression


def _expression(frame: FrameContext, node: ast.AST | None) -> Expression | None:
    """Read the whole expression that a node is the beginning of.

    `jnp.random.normal(key)` for `jnp.random`, what made `f` for `f(x)`, and `np.dot` for
    `jax.vmap(np.dot)(x)`.
    """
    module, whole = frame.module, node
    while isinstance(whole, ast.Attribute):
        outer = module.parents.get(whole)
        if not isinstance(outer, ast.Attribute) and getattr(outer, "func", None) is not whole:
            break
        whole = outer
    if isinstance(whole, ast.Call) and isinstance(whole.func, ast.Name):
        made = bound_value(module, whole.func)
        whole = made if isinstance(made, ast.Call) else whole
    elif isinstance(whole, ast.Call) and isinstance(whole.func, ast.Call) and whole.func.args:
        whole = whole.func.args[0]
    if not isinstance(whole, ast.Call | ast.BinOp | ast.Attribute):
        return None
    called = whole.func if isinstance(whole, ast.Call) else whole
    first = whole.args[0] if isinstance(whole, ast.Call) and whole.args else None
    fact = frame.fact(first)
    has_key = fact is not None and (fact.kind == "typed_key" or fact.detail.startswith("key<"))
    return Expression(module, whole, frame.dotted(called), has_key)


def _names(at: Expression) -> Iterator[str]:
    """Yield what an expression may be called in the table; a name of JAX also as another's."""
    if isinstance(at.node, ast.BinOp):
        yield type(at.node.op).__name__
    elif at.path is not None:
        yield at.path
        for home in ("jax.numpy.", "jax."):
            if at.path.startswith(home):
                yield "numpy." + at.path.removeprefix(home)
                yield "torch." + at.path.removeprefix(home)
    elif isinstance(at.node, ast.Call) and isinstance(at.node.func, ast.Attribute):
        yield f".{at.node.func.attr}"


@cache
def _name(pattern: str) -> str:
    """Return what a pattern is called: `numpy.put`, `.detach` or `BitXor`; empty of a statement."""
    try:
        node = ast.parse(VARIABLE.sub(r"__\1", pattern), mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return ""
    if isinstance(node, ast.BinOp):
        return type(node.op).__name__
    func = node.func if isinstance(node, ast.Call) else None
    if isinstance(func, ast.Attribute) and "__" in ast.unparse(func.value):
        return f".{func.attr}"
    root, dot, rest = (path_of(func) or "").partition(".")
    return _HOMES.get(root, root) + dot + rest


# ---------------------------------------------------------------- without a row


def _same_name(at: Expression) -> Iterator[Equivalent]:
    """Yield what JAX has of the same name, in the module that is like it or in another one."""
    if isinstance(at.node, ast.BinOp):
        return
    is_call, name = isinstance(at.node, ast.Call), next(_names(at), "")
    receiver = "" if at.path is not None else "$x, "
    for path in _likely_paths(name, has_key=at.has_key):
        home, _, last = path.rpartition(".")
        if last in NAMES.get(home, ()) and path != at.path and _takes_keywords(last, at.node):
            written = path.replace("jax.numpy", "jnp")
            typed = f"{'$x' * (not at.path)}{name}(...)"
            jax = f"{written}({receiver}...)" if is_call else written
            yield Equivalent((typed,), jax)


def _takes_keywords(name: str, node: ast.AST) -> bool:
    """Return whether a function of JAX takes the keywords that a call passes to NumPy's."""
    given = {it.arg for it in node.keywords} if isinstance(node, ast.Call) else set()
    return name not in ELEMENTWISE or not given & {"where", "dtype"}


def _likely_paths(name: str, *, has_key: bool) -> Iterator[str]:
    """Yield the paths that a name of another library may have in JAX, the likeliest first."""
    home, _, last = name.rpartition(".")
    like = replacement(name)
    if like is not None:
        yield like
    elif home.startswith("jax"):
        if has_key:
            yield f"jax.random.{_DRAWS.get(last, last)}"
        places = (it for it in NAMES if it != "jax.random" or not home.endswith(".random"))
        yield from (f"{place}.{last}" for place in places)
        close = get_close_matches(last, NAMES.get(home, ()), 1, ALIKE)
        yield from (f"{home}.{it}" for it in close)
    elif home.partition(".")[0] in ("", "torch"):
        yield from (f"{place}.{last}" for place in ("jax.numpy", "jax.nn", "jax.lax"))


# ---------------------------------------------------------------- sentences


def _advice(module: Module, row: Equivalent, code: str) -> Iterator[str]:
    """Yield what to write; a line whose arguments are not known is only named."""
    line = code or plain_code(_put_rest(row.jax, ""))
    yield f"Write `{line}`." if code else f"Use `{line}`."
    if row.says:
        yield row.says
    for root in dict.fromkeys(re.findall(r"\b(jnp|np|jax)\.", line)):
        if root not in module.imports:
            yield f"Add `{_IMPORTS[root]}` at the top of the file."


def _fill(at: Expression, row: Equivalent) -> str:
    """Write the code of a row with the learner's expressions; empty where they are not known."""
    if isinstance(at.node, ast.Attribute):
        return row.jax if row.jax == plain_code(row.jax) else ""
    if row.jax == plain_code(row.jax) and "..." not in row.jax:
        return ""
    names = set(_names(at))
    for pattern in row.typed:
        # The pattern of a method matches a function of a module too: `jnp` is not an array.
        bound = _bound(at, pattern) if _name(pattern) in names else None
        if bound is not None and ("$" in pattern or "$" not in row.jax):
            code = _with_names(at, row.jax, bound)
            if len(code) <= LONGEST and "\n" not in code:
                return code
    return ""


def _with_names(at: Expression, template: str, bound: Mapping[str, ast.expr]) -> str:
    """Put the learner's expressions into the code of a row.

    A call that stood alone, since it changed its argument, becomes an assignment to that name.
    """
    rest = ", ".join(_rest(at.module, at.node, bound))
    code = VARIABLE.sub(lambda it: _operand(at.module, bound, it), _put_rest(template, rest))
    changed = bound.get("x") if isinstance(at.module.parents.get(at.node), ast.Expr) else None
    return f"{changed.id} = {code}" if isinstance(changed, ast.Name) else code


def _bound(at: Expression, pattern: str) -> Mapping[str, ast.expr] | None:
    """Return what the variables of a pattern stand for in an expression; None without a match.

    `jnp.bincount(x)` is matched by the pattern of NumPy's, and `jnp.norm(x)` by PyTorch's.
    """
    if "$" not in pattern:
        return {} if "..." in pattern else None
    home = "jnp." if (at.path or "").startswith("jax.numpy.") else "jax."
    return first_match(at.module, at.node, pattern, re.sub(r"^(np|torch)\.", home, pattern))


def _put_rest(template: str, rest: str) -> str:
    """Put further arguments in the place of `...`; without any, one comma or none is left."""

    def between(dots: re.Match[str]) -> str:
        before, after = dots[1] or "", dots[2] or ""
        return f"{before}{rest}{after}" if rest else (before if after else "")

    return _REST.sub(between, template)


def _rest(module: Module, whole: ast.AST, bound: Mapping[str, ast.expr]) -> Iterator[str]:
    """Yield the arguments of a call that no variable stands for, under the names that JAX has."""
    taken = {id(node) for node in bound.values()}
    args = whole.args if isinstance(whole, ast.Call) else []
    for arg in args:
        if id(arg) not in taken:
            is_alone = isinstance(arg, ast.Starred) and len(args) == 1
            yield module.text(arg) + "," * is_alone  # `(*shape,)` is a tuple, `(*shape)` is not
    for keyword in whole.keywords if isinstance(whole, ast.Call) else ():
        name = _KEYWORDS.get(keyword.arg or "", keyword.arg)
        if id(keyword.value) not in taken and name not in _IGNORED:
            equals = "**" if keyword.arg is None else f"{name}=" * bool(name)
            yield equals + module.text(keyword.value)


def _operand(module: Module, bound: Mapping[str, ast.expr], name: re.Match[str]) -> str:
    """Return the text for a variable, in parentheses where an operator or dot is beside it."""
    node = bound.get(name[1])
    if node is None:
        return name[1]
    if name[1] == "shape" and isinstance(node, ast.Constant):
        return f"({module.text(node)},)"  # NumPy takes a number for a shape, `jax.random` does not
    before = name.string[: name.start()].rstrip()[-1:]
    after = name.string[name.end() :].lstrip()[:1]
    is_apart = before in ("", *"([,=") and after in ("", *")],")
    return " ".join((module.text(node) if is_apart else atom(module, node)).split())
