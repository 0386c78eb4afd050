"""Mutates programs, with typical and with unusual mistakes. The same seed gives the same result."""

from __future__ import annotations

import ast
import contextlib
import random
import re
import warnings
from collections.abc import Callable
from typing import TypeVar

from jaxtutor.core.data.lines import Offsets, whole_lines

Random = random.Random
Node = TypeVar("Node", bound=ast.AST)
Mutation = Callable[[str, ast.Module, Random], str | None]


def parse(source: str) -> ast.Module | None:
    """Parse a program. Return None if it is not valid Python."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(source)
            compile(source, "", "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return tree


def mutate(source: str, chance: Random) -> str:
    """Change a program in one to three places, and sometimes its layout."""
    for _ in range(chance.choice((1, 1, 2, 3))):
        for _ in range(8):
            tree = parse(source)
            if tree is None or not _inner(tree):
                return source
            changed = chance.choices(MUTATIONS, WEIGHTS)[0](source, tree, chance)
            if changed is not None and changed != source and parse(changed) is not None:
                source = changed
                break
    if chance.random() < 0.9 and "from __future__" not in source:
        source = _with_imports(source)
    if chance.random() < 0.4:
        laid_out = chance.choice(LAYOUTS)(source, chance)
        if parse(laid_out) is not None:
            source = laid_out
    return source


_IMPORTS = {
    "jax": "import jax",
    "jnp": "import jax.numpy as jnp",
    "np": "import numpy as np",
    "partial": "from functools import partial",
    "nan": "from math import nan",
    "functools": "import functools",
    "math": "import math",
    "time": "import time",
}


def _with_imports(source: str) -> str:
    """Import the modules of inserted code, so that unknown names do not hide other faults."""
    used = set(re.findall(r"\b[a-z]+\b", source))
    wanted = [line for name, line in _IMPORTS.items() if name in used and line not in source]
    return "".join(f"{line}\n" for line in wanted) + source


# ---------------------------------------------------------------- nodes


def _span(source: str, node: ast.AST) -> tuple[int, int]:
    """Return the first and last character of a node, whose columns are in bytes."""
    places, lines = Offsets(source), whole_lines(source)

    def offset(line: int, column: int) -> int:
        text = lines[line - 1].encode()[:column].decode(errors="replace")
        return places.offset(line, len(text))

    found = node.lineno, node.col_offset, node.end_lineno, node.end_col_offset  # type: ignore[attr-defined]
    return offset(found[0], found[1]), offset(found[2], found[3])


def _replace(source: str, node: ast.AST, text: str) -> str:
    begin, end = _span(source, node)
    return source[:begin] + text + source[end:]


def _text(source: str, node: ast.AST) -> str:
    begin, end = _span(source, node)
    return source[begin:end]


def _all(tree: ast.AST, *kinds: type[Node]) -> list[Node]:
    return [node for node in ast.walk(tree) if isinstance(node, kinds)]


def _values(tree: ast.Module) -> list[ast.expr]:
    """Return the expressions that another expression may replace."""
    inside = {id(part) for node in _all(tree, ast.JoinedStr) for part in ast.walk(node)}
    kinds = (ast.Name, ast.Call, ast.BinOp, ast.Compare, ast.Subscript, ast.Attribute, ast.Constant)
    called = {id(node.func) for node in _all(tree, ast.Call)}
    found = [
        node
        for node in _all(tree, *kinds)
        if isinstance(getattr(node, "ctx", ast.Load()), ast.Load)
        and id(node) not in inside
        and id(node) not in called
    ]
    return [node for node in found if not isinstance(node, ast.Constant) or node.value is not None]


def _names(tree: ast.AST) -> list[str]:
    found = {node.id for node in _all(tree, ast.Name)} | {node.arg for node in _all(tree, ast.arg)}
    return sorted(found) or ["x"]


def _indent(source: str, node: ast.stmt) -> str:
    line = whole_lines(source)[node.lineno - 1]
    return line[: len(line) - len(line.lstrip())]


def _inner(tree: ast.Module) -> list[ast.stmt]:
    """Return the statements that have their own lines."""
    found = [node for node in _all(tree, ast.stmt) if not isinstance(node, ast.Import)]
    return [node for node in found if not isinstance(node, ast.ImportFrom)]


def _lines_of(source: str, node: ast.stmt) -> tuple[int, int]:
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    first = min([node.lineno, *(item.lineno for item in decorators)])
    return first - 1, node.end_lineno or node.lineno


# ---------------------------------------------------------------- typical mistakes


def _delete(source: str, tree: ast.Module, chance: Random) -> str | None:
    first, last = _lines_of(source, chance.choice(_inner(tree)))
    lines = whole_lines(source)
    return "".join(lines[:first] + lines[last:])


def _duplicate(source: str, tree: ast.Module, chance: Random) -> str | None:
    first, last = _lines_of(source, chance.choice(_inner(tree)))
    lines = whole_lines(source)
    return "".join(lines[:last] + lines[first:last] + lines[last:])


def _swap(source: str, tree: ast.Module, chance: Random) -> str | None:
    first, second = (chance.choice(_inner(tree)) for _ in range(2))
    (a, b), (c, d) = sorted((_lines_of(source, first), _lines_of(source, second)))
    lines = whole_lines(source)
    if b > c:
        return None
    return "".join(lines[:a] + lines[c:d] + lines[b:c] + lines[a:b] + lines[d:])


def _rename(source: str, tree: ast.Module, chance: Random) -> str | None:
    names = [node for node in _all(tree, ast.Name) if isinstance(node.ctx, ast.Load)]
    names = [node for node in names if node.lineno]
    if not names:
        return None
    return _replace(source, chance.choice(names), chance.choice([*_names(tree), "undefined"]))


def _rename_all(source: str, tree: ast.Module, chance: Random) -> str | None:
    old, new = (
        chance.choice(_names(tree)),
        chance.choice(["é", "变量", "𝔵", "ﬁ", "x", "sum", "jax"]),  # noqa: RUF001
    )
    return re.sub(rf"\b{re.escape(old)}\b", new, source)


_OPERATORS = "+ - * / // % ** @ & | ^ << < <= > >= == != and or is in".split()


def _operator(source: str, tree: ast.Module, chance: Random) -> str | None:
    found = _all(tree, ast.BinOp, ast.Compare, ast.BoolOp)
    if not found:
        return None
    node = chance.choice(found)
    match node:
        case ast.BinOp(left=left, right=right):
            parts = left, right
        case ast.Compare(left=left, comparators=[right, *_]):
            parts = left, right
        case ast.BoolOp(values=[left, right, *_]):
            parts = left, right
        case _:
            return None
    a, b = (_text(source, part) for part in parts)
    return _replace(source, node, f"({a} {chance.choice(_OPERATORS)} {b})")


_CONSTANTS = (
    *(
        "0",
        "1",
        "-1",
        "2",
        "3",
        "7",
        "0.5",
        "1e38",
        "True",
        "None",
        "'a'",
        "()",
        "(2, 3)",
        "[]",
        "1j",
    ),
    *(
        "jnp.arange(3)",
        "jnp.ones((2, 3))",
        "np.ones(4)",
        "jnp.int32",
        "'float64'",
        "2**40",
        "nan",
        "{}",
    ),
    *(
        "jnp.zeros((0,))",
        "jax.random.key(0)",
        "jax.random.PRNGKey(1)",
        "lambda v: v",
        "slice(None)",
        "...",
    ),
    *("jnp.array([jnp.nan, 1.0])", "np.float64(2)", "range(3)", "{'a': 1.0}", "float", "'é\u2028'"),
)


def _constant(source: str, tree: ast.Module, chance: Random) -> str | None:
    found = [node for node in _all(tree, ast.Constant) if not isinstance(node.value, str)]
    inside = {id(part) for node in _all(tree, ast.JoinedStr) for part in ast.walk(node)}
    found = [node for node in found if id(node) not in inside]
    return _replace(source, chance.choice(found), chance.choice(_CONSTANTS)) if found else None


def _exchange(source: str, tree: ast.Module, chance: Random) -> str | None:
    found = _values(tree)
    if not found:
        return None
    other = chance.choice([_text(source, chance.choice(found)), chance.choice(_CONSTANTS)])
    return _replace(source, chance.choice(found), f"({other})")


_FUNCTIONS = (
    *"jnp.sum jnp.mean jnp.where jnp.dot jnp.reshape jnp.concatenate jnp.stack jnp.arange".split(),
    *"jnp.zeros jnp.ones_like jnp.argmax jnp.nonzero".split(),
    *"jnp.unique jnp.linspace jnp.clip jnp.max".split(),
    *"jnp.cumsum jnp.array jnp.take jnp.split".split(),
    *"jnp.tile jnp.repeat jnp.einsum jnp.sort jnp.sqrt".split(),
    *"jnp.linalg.norm jnp.linalg.inv np.sum np.array np.exp np.where".split(),
    *"math.sin max min sum len abs".split(),
    *"float int bool list tuple sorted range".split(),
    *"print any all isinstance str enumerate zip round".split(),
    *"jax.nn.relu jax.nn.softmax jax.lax.scan".split(),
    *"jax.lax.cond jax.lax.fori_loop jax.lax.while_loop".split(),
    *"jax.lax.select jax.lax.dynamic_slice".split(),
    *"jax.random.normal jax.random.split jax.random.uniform".split(),
    *"jax.jit jax.grad jax.vmap jax.value_and_grad".split(),
    *"jax.jacfwd jax.hessian jax.checkpoint jax.pmap".split(),
    *"jax.device_get jax.tree.map jax.lax.map".split(),
    *"jax.lax.stop_gradient jax.debug.print jax.eval_shape".split(),
    *"jax.make_jaxpr jax.lax.psum jax.pure_callback".split(),
    *"jnp.vectorize jax.custom_jvp jnp.sin jnp.sim".split(),
)


def _callee(source: str, tree: ast.Module, chance: Random) -> str | None:
    found = _all(tree, ast.Call)
    return _replace(source, chance.choice(found).func, chance.choice(_FUNCTIONS)) if found else None


def _argument(source: str, tree: ast.Module, chance: Random) -> str | None:
    """Remove, repeat, add or reorder arguments."""
    found = [node for node in _all(tree, ast.Call) if node.args]
    if not found:
        return None
    node = chance.choice(found)
    texts = [_text(source, argument) for argument in node.args]
    texts += [_text(source, keyword) for keyword in node.keywords]
    place = chance.randrange(len(node.args))
    match chance.randrange(5):
        case 0:
            del texts[place]
        case 1:
            texts.insert(place, texts[place])
        case 2:
            texts.append(
                chance.choice(["axis=1", "axis=5", "dtype=int", "keepdims=True", "shape=3"])
            )
        case 3:
            texts[: len(node.args)] = texts[: len(node.args)][::-1]
        case _:
            texts[place] = f"*{texts[place]}"
    return _replace(source, node, f"{_text(source, node.func)}({', '.join(texts)})")


_WRAPS = (
    *(
        "float({})",
        "int({})",
        "bool({})",
        "np.asarray({})",
        "({}).item()",
        "({}).tolist()",
        "str({})",
    ),
    *(
        "({}).astype(int)",
        "({}).astype('float64')",
        "({}).reshape(-1)",
        "({}).T",
        "({})[0]",
        "({})[0, 0]",
    ),
    *(
        "({0})[{0} > 0]",
        "({}).at[0].set(1)",
        "({}).sum(axis=1)",
        "({0} if {0} else {0})",
        "(not {})",
    ),
    *(
        "({0} and {0})",
        "(0 < {} < 1)",
        "len({})",
        "range({})",
        "list({})",
        "({0}, {0})",
        "[{}]",
        "{{'a': {}}}",
    ),
    *(
        "f'{{{}}}'",
        "(print({0}) or {0})",
        "(lambda: {})()",
        "[{} for _ in range(2)][0]",
        "hash({})",
    ),
    *(
        "max({}, 0)",
        "sorted([{0}, {0}])",
        "jnp.zeros({})",
        "jnp.arange({})",
        "np.sin({})",
        "math.exp({})",
    ),
    *(
        "jax.jit(lambda: {})()",
        "jax.vmap(lambda _: {})(jnp.arange(2.0))",
        "jax.grad(lambda q: {} * q)(1.0)",
    ),
    *("jax.lax.cond(True, lambda: {0}, lambda: {0})", "jax.lax.cond({0}, lambda: 1, lambda: 2.0)"),
    *(
        "jax.lax.scan(lambda c, x: (c, {}), 0, jnp.arange(2))[1]",
        "jax.lax.while_loop(lambda c: c < 1, lambda c: {}, 0)",
    ),
    *(
        "jax.lax.fori_loop(0, 2, lambda i, c: {}, 0)",
        "jax.lax.scan(lambda c, x: ({}, x), 0.0, jnp.ones(2))",
    ),
    *(
        "jnp.linalg.inv({})",
        "({0} @ {0})",
        "jax.random.normal({})",
        "jax.nn.one_hot({}, 3)",
        "({}).no_such",
    ),
    *(
        "jax.checkpoint(lambda v: v * {})(1.0)",
        "jax.eval_shape(lambda: {})",
        "jnp.array([{0}, [{0}]])",
    ),
    *(
        "jax.vmap(lambda v: {0}, in_axes=1)({0})",
        "jax.jit(lambda n: jnp.ones(n))({})",
        "next(iter({}))",
    ),
    *(
        "LEAKED.append({0}) or {0}",
        "({})()",
        "({0} is {0})",
        "({0} in [1, {0}])",
        "(yield_ := {})",
        "~{}",
    ),
)


def _wrap(source: str, tree: ast.Module, chance: Random) -> str | None:
    found = _values(tree)
    if not found:
        return None
    node = chance.choice(found)
    text = _text(source, node)
    if "\n" in text:
        text = f"({text})"
    with contextlib.suppress(IndexError, KeyError, ValueError):
        wrapped = _replace(source, node, chance.choice(_WRAPS).format(text))
        return (
            f"LEAKED = []\n{wrapped}"
            if "LEAKED" in wrapped and "from __future__" not in source
            else wrapped
        )
    return None


_STATEMENTS = (
    *(
        "if {}: pass",
        "while {}: break",
        "assert {}",
        "{}[0] = 1",
        "{} += 1",
        "for _i in range({}): pass",
    ),
    *(
        "print({})",
        "for _v in {}: pass",
        "global KEPT; KEPT = {}",
        "raise ValueError({})",
        "del {}",
    ),
    *(
        "if {} > 0:\n    q = 1\nelse:\n    q = 2",
        "return {}",
        "while {} > 0:\n    {} -= 1",
        "{}.append(1)",
    ),
    *(
        "if {}: return 0.0",
        "np.add({}, 1)",
        "{}.at[0].set(0)",
        "try:\n    float({})\nexcept TypeError:\n    raise",
    ),
    *(
        "match {}:\n    case 1: pass",
        "with {} as _w: pass",
        "import math; math.floor({})",
        "{} = {}[::-1]",
    ),
    *(
        "jax.jit(lambda v: v)({})",
        "if {} is None: {} = 0",
        "{0}, {0} = {0}",
        "try:\n    {}()\nfinally:\n    1/0",
    ),
    *(
        "def inner(v):\n    return v + {}\ninner = jax.jit(inner)\ninner({})",
        "time.sleep(0)",
        "1/0",
        "{}: int = 1",
    ),
)


def _insert(source: str, tree: ast.Module, chance: Random) -> str | None:
    node = chance.choice(_inner(tree))
    first, _ = _lines_of(source, node)
    around = next(
        (f for f in _all(tree, ast.FunctionDef) if any(n is node for n in ast.walk(f))), tree
    )
    name = chance.choice(_names(around))
    text = chance.choice(_STATEMENTS).replace("{0}", name).replace("{}", name)
    lines = whole_lines(source)
    indent = _indent(source, node)
    new = "".join(f"{indent}{line}\n" for line in text.split("\n"))
    return "".join([*lines[:first], new, *lines[first:]])


_DECORATORS = (
    *(
        "@jax.jit",
        "@jax.grad",
        "@jax.vmap",
        "@jax.value_and_grad",
        "@jax.checkpoint",
        "@jax.jacfwd",
    ),
    *(
        "@partial(jax.jit, static_argnums=0)",
        "@partial(jax.jit, static_argnames='x')",
        "@jax.custom_jvp",
    ),
    *(
        "@functools.partial(jax.jit, donate_argnums=(0,))",
        "@partial(jax.vmap, in_axes=(None, 0))",
        "@jax.linearize",
    ),
    *(
        "@functools.lru_cache",
        "@jax.jit\n@jax.jit",
        "@jax.jit  # é",
        "@np.vectorize",
        "@(lambda g: g)",
        "@jax.custom_vjp",
    ),
)


def _decorate(source: str, tree: ast.Module, chance: Random) -> str | None:
    found = _all(tree, ast.FunctionDef)
    if not found:
        return None
    node = chance.choice(found)
    first, _ = _lines_of(source, node)
    indent, lines = _indent(source, node), whole_lines(source)
    if node.decorator_list and chance.random() < 0.4:
        return "".join(lines[:first] + lines[node.lineno - 1 :])
    new = "".join(f"{indent}{line}\n" for line in chance.choice(_DECORATORS).split("\n"))
    return "".join([*lines[:first], new, *lines[first:]])


def _parameter(source: str, tree: ast.Module, chance: Random) -> str | None:
    """Remove or rename a parameter."""
    nodes = (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.Lambda))
    found = [node for node in nodes if node.args.args]
    if not found:
        return None
    given = chance.choice(chance.choice(found).args.args)
    return _replace(
        source, given, chance.choice(["other", "x", "self", "*rest", given.arg + "=None"])
    )


MUTATIONS: tuple[Mutation, ...] = (
    *(_delete, _duplicate, _swap, _rename, _rename_all, _operator, _constant, _exchange, _callee),
    *(_argument, _wrap, _insert, _decorate, _parameter),
)
WEIGHTS = (1, 1, 1, 2, 1, 2, 2, 2, 3, 3, 6, 4, 3, 1)


# ---------------------------------------------------------------- layout


def _crlf(source: str, chance: Random) -> str:
    return source.replace("\n", "\r\n")


def _cr(source: str, chance: Random) -> str:
    return source.replace("\n", "\r")


def _tabs(source: str, chance: Random) -> str:
    return re.sub(r"^(?: {4})+", lambda match: "\t" * (len(match[0]) // 4), source, flags=re.M)


def _form_feeds(source: str, chance: Random) -> str:
    return re.sub(r"^(def |@|class )", "\x0c\n\\1", source, flags=re.M)


def _separators(source: str, chance: Random) -> str:
    """Insert a string of characters that end lines, but not for Python's tokenizer."""
    text = "_TEXT = 'é\u2028日\x1c\x85'; _MORE = '''\n# 😀 \u2029\n'''\n"
    if "from __future__" in source:
        return source + text
    return chance.choice([text, "# é😀 \x0b \x1d\n"]) + source


def _semicolons(source: str, chance: Random) -> str:
    """Join two statements of a block with a semicolon."""
    lines = whole_lines(source)
    place = chance.randrange(max(len(lines) - 1, 1))
    joined = lines[place].rstrip() + "; " + "".join(lines[place + 1 : place + 2]).lstrip()
    return "".join(lines[:place]) + joined + "".join(lines[place + 2 :])


def _one_line(source: str, chance: Random) -> str:
    """Put the body of a compound statement after its colon."""
    return re.sub(r":\n[ \t]+(\w[^\n]*\n)(?![ \t])", r": \1", source, count=chance.choice((1, 3)))


def _comments(source: str, chance: Random) -> str:
    """Add comments with wide characters and trailing blanks to some lines."""
    tree = parse(source)
    ends = (
        {node.end_lineno for node in ast.walk(tree) if isinstance(node, ast.stmt)} if tree else ()
    )
    return "".join(
        f"{line.rstrip()}  # 日本é {number}  \n"
        if number in ends and chance.random() < 0.4
        else line
        for number, line in enumerate(whole_lines(source), 1)
    )


def _wide_text(source: str, chance: Random) -> str:
    """Put multi-byte characters before an expression on its line."""
    tree = parse(source)
    found = (
        [node for node in _values(tree) if isinstance(node, ast.Call | ast.BinOp)] if tree else []
    )
    if not found:
        return source
    node = chance.choice(found)
    return _replace(source, node, f"('日😀é' and {_text(source, node)})")


def _continued(source: str, chance: Random) -> str:
    """Break a line with a backslash after an operator."""
    return re.sub(
        r"( [-+*/<>=]=? )", lambda m: m[1] + "\\\n  " if chance.random() < 0.3 else m[1], source
    )


def _open_end(source: str, chance: Random) -> str:
    return source.rstrip()


LAYOUTS: tuple[Callable[[str, Random], str], ...] = (
    *(_crlf, _cr, _tabs, _form_feeds, _separators, _semicolons, _one_line, _comments),
    *(_wide_text, _continued, _open_end),
)
