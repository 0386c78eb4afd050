"""Fixes calls of JAX's functions: their order, their operands, functions and keys."""

from __future__ import annotations

import ast
from functools import singledispatch

from jaxtutor.core.diagnosis.edits import Draft
from jaxtutor.core.diagnosis.families.calls.match import (
    AppliedOperand,
    Curried,
    FunctionArgument,
    HostCallback,
    MovedOption,
    ShapeOperand,
    TupleOperand,
    Unpacked,
    ValueForFunction,
    is_function,
)
from jaxtutor.core.diagnosis.reading import argument, parameters
from jaxtutor.core.diagnosis.rewriting.expressions import (
    add_argument,
    add_option,
    fresh_name,
    indent_of,
    tuple_text,
)
from jaxtutor.core.diagnosis.rewriting.parameters import pass_through
from jaxtutor.core.diagnosis.rules import AtCall, Drafts
from jaxtutor.core.diagnosis.source import FunctionNode, Module, own_nodes

# ---------------------------------------------------------------- control flow


def where_for_cond(found: AtCall) -> Drafts:
    """Choose element by element with `jnp.where` between what the branches compute."""
    call, module = found.node, found.module
    if len(call.args) < 3 or call.keywords:
        return
    texts = [_applied(module, branch, call.args[3:]) for branch in call.args[1:3]]
    draft = Draft(module)
    where = draft.name("jax.numpy.where")
    yield draft.replace(call, f"{where}({module.text(call.args[0])}, {', '.join(texts)})")


def _applied(module: Module, branch: ast.expr, operands: list[ast.expr]) -> str:
    """Write the call of a branch with its operands; a lambda of those very names is its body."""
    given = [module.text(item) for item in operands]
    if isinstance(branch, ast.Lambda):
        names = [a.arg for a in parameters(branch)]
        if names == given:
            return module.text(branch.body)
        return f"({module.text(branch)})({', '.join(given)})"
    return f"{module.text(branch)}({', '.join(given)})"


def integer_index(found: AtCall) -> Drafts:
    """Turn a boolean index into an integer."""
    given = argument(found.node, 0, "index")
    if given is not None and found.context.message.endswith("as bool"):
        draft = Draft(found.module)
        yield draft.wrap(given, f"{draft.name('jax.numpy.int32')}(", ")")


def pass_functions(found: ValueForFunction) -> Drafts:
    """Wrap values in functions, put branches into a list, or put the function first."""
    call, module = found.node, found.module
    if found.form == "factory":
        yield Draft(module).certain().replace(call, found.facts["argument"])
        return
    if (
        found.path == "jax.lax.map"
        and len(call.args) == 2
        and is_function(found.frame, call.args[1])
    ):
        yield _swapped(module, call.args[0], call.args[1]).certain()
    if found.path == "jax.lax.switch":
        yield _listed(found)
    is_branching = found.path in ("jax.lax.cond", "jax.lax.switch")
    if is_branching and "callable" in found.context.message and len(call.args) >= 2:
        draft, start = Draft(module), "lambda *_: " if _has_operands(found) else "lambda: "
        for value in found.values:
            draft.wrap(value, start, "")
        yield draft.certain()


def _has_operands(found: ValueForFunction) -> bool:
    return len(found.node.args) > (3 if found.path == "jax.lax.cond" else 2)


def _listed(found: ValueForFunction) -> Draft | None:
    """Put the functions that follow the index of a switch into one list."""
    call, module = found.node, found.module
    branches = []
    for item in call.args[1:]:
        if not is_function(found.frame, item):
            break
        branches.append(item)
    if not branches or isinstance(call.args[1], ast.List | ast.Tuple):
        return None
    draft = Draft(module).before(branches[0], "[")
    return draft.after(branches[-1], "]").certain()


def _swapped(module: Module, first: ast.expr, second: ast.expr) -> Draft:
    draft = Draft(module).replace(first, module.text(second))
    return draft.replace(second, module.text(first))


def merge_calls(found: Curried) -> Drafts:
    """Pass the arguments in the same call as the function."""
    if found.outer is not None and found.path != "jax.jvp":
        yield _merged(found)


def merge_branching(found: Curried) -> Drafts:
    """Pass the operands in the call of the cond or switch."""
    if found.outer is not None:
        yield _merged(found)


def _merged(found: Curried) -> Draft | None:
    outer, module = found.outer, found.module
    if outer is None or not (outer.args or outer.keywords):
        return None
    inside = [module.text(a) for a in found.node.args]
    passed = [module.text(a) for a in outer.args]
    named = [module.text(k) for k in (*found.node.keywords, *outer.keywords)]
    function = module.text(found.node.func)
    text = f"{function}({', '.join([*inside, *passed, *named])})"
    return Draft(module).replace(outer, text).certain()


def swap_scan(found: AtCall) -> Drafts:
    """Swap the initial carry and the values that a scan goes over."""
    init, xs = argument(found.node, 1, "init"), argument(found.node, 2, "xs")
    fact = found.frame.fact(init)
    is_array = fact is not None and fact.kind in ("array", "tracer", "ndarray")
    has_axes = is_array and fact is not None and "[]" not in fact.detail
    is_made = found.frame.callee(init) in ("jax.numpy.arange", "jax.numpy.linspace")
    if init is not None and xs is not None and (has_axes or is_made):
        yield _swapped(found.module, init, xs)


# ---------------------------------------------------------------- transformations


@singledispatch
def call_inside(found: Curried) -> Drafts:
    """Apply the function first, and the operation to its result."""
    outer, module = found.outer, found.module
    if outer is not None and len(found.node.args) == 1 and not found.node.keywords:
        inner = f"{module.text(found.node.args[0])}({_arguments(module, outer)})"
        yield Draft(module).replace(outer, f"{module.text(found.node.func)}({inner})")


@call_inside.register
def _leave_out(found: FunctionArgument) -> Drafts:
    """Share the function between all examples, or differentiate with respect to another argument.

    Both take the function as it is: only what is mapped or differentiated has to be an array.
    """
    item, count = found.item, len(found.node.args)
    if count < 2 or found.node.keywords or item.option("in_axes") or item.option("argnums"):
        return
    axes = tuple_text(["None" if n == found.position else "0" for n in range(count)])
    other = 1 if found.position == 0 else 0
    yield add_option(item, f"in_axes={axes}" if item.kind == "vmap" else f"argnums={other}")


def _arguments(module: Module, call: ast.Call) -> str:
    return ", ".join(module.text(part) for part in (*call.args, *call.keywords))


def arguments_outside(found: AtCall) -> Drafts:
    """Pass the arguments in a second pair of parentheses."""
    call, module = found.node, found.module
    options = [module.text(k) for k in call.keywords]
    made = f"{module.text(call.func)}({', '.join([module.text(call.args[0]), *options])})"
    passed = ", ".join(module.text(a) for a in call.args[1:])
    yield Draft(module).replace(call, f"{made}({passed})").certain()


def move_option(found: MovedOption) -> Drafts:
    """Pass the option to the transformation."""
    inner = found.item.call
    if inner is None or found.item.module is not found.module or found.item.is_decorator:
        return
    kept = [found.module.text(p) for p in (*found.node.args, *found.node.keywords)]
    kept.remove(found.module.text(found.option))
    made = found.module.text(found.node.func)
    if found.node.func is not inner:
        return
    made = f"{made[:-1].rstrip().rstrip(',')}, {found.module.text(found.option)})"
    yield Draft(found.module).replace(found.node, f"{made}({', '.join(kept)})").certain()


@singledispatch
def unpack_gradient(found: TupleOperand) -> Drafts:
    """Take the gradient and what comes with it apart."""
    target = found.made.targets[0] if found.made is not None else None
    if isinstance(target, ast.Name) and found.parts:
        yield Draft(found.module).replace(target, found.parts)


@unpack_gradient.register
def _take_output(found: AppliedOperand) -> Drafts:
    """Take the output and the new state apart."""
    assert found.made is not None
    yield Draft(found.module).replace(found.made.targets[0], found.facts["argument"])


@unpack_gradient.register
def _take_sizes(found: ShapeOperand) -> Drafts:
    """Take one size of a shape, or all of them."""
    yield Draft(found.module).replace(found.shape, found.facts["argument"])


# ---------------------------------------------------------------- gradients


def make_tuples(found: AtCall) -> Drafts:
    """Put the primals and the tangents of a jvp into tuples."""
    draft = Draft(found.module)
    for position, name in ((1, "primals"), (2, "tangents")):
        given = argument(found.node, position, name)
        if given is None or isinstance(given, ast.Tuple | ast.List):
            continue
        draft.after(given, ",") if _is_in_parentheses(found.module, given) else draft.wrap(
            given, "(", ",)"
        )
    yield draft.certain()


def _is_in_parentheses(module: Module, node: ast.expr) -> bool:
    span = module.span(node)
    line, last = module.lines[span.line - 1], module.lines[span.end_line - 1]
    before, after = line[: span.column].rstrip(), last[span.end_column :].lstrip()
    return before.endswith("(") and before[:-1].rstrip().endswith((",", "=")) and after[:1] == ")"


def nest_aux(found: Unpacked) -> Drafts:
    """Unpack the value and the auxiliary data as a pair, and the gradient beside it."""
    texts = [found.module.text(item) for item in found.targets.elts]
    grads = [text for text in texts if "grad" in text.lower() or text in ("g", "gs")]
    last = grads[0] if len(grads) == 1 else texts[2]
    first = [text for text in texts if text != last]
    draft = Draft(found.module).replace(found.targets, f"({', '.join(first)}), {last}")
    yield draft.certain() if grads else draft


# ---------------------------------------------------------------- keys


def key_first(found: AtCall) -> Drafts:
    """Pass the key first, or create one from the seed."""
    call, module, frame = found.node, found.module, found.frame
    if found.form == "stream":
        yield Draft(module).certain().after(call.args[0], "()")
        return
    others = [a for a in call.args[1:] if _is_key(found, a)]
    if len(others) == 1:
        yield _swapped(module, call.args[0], others[0]).certain()
        return
    first = call.args[0]
    is_seed = isinstance(first, ast.Constant) and type(first.value) is int
    if is_seed or frame.kind(first) == "number":
        draft = Draft(module)
        yield draft.wrap(first, f"{draft.name('jax.random.key')}(", ")").certain()
        return
    yield from _add_key(module, call)


def _add_key(module: Module, call: ast.Call) -> Drafts:
    """Pass a key to a draw that has none: a new one for each draw, split from the key in sight."""
    statement, function = module.statement(call), module.function(call)
    scopes = [function, module.tree] if function is not None else [module.tree]
    names = ((scope, name) for scope in scopes for name in _keys_of(module, scope))
    scope, name = next(names, (None, ""))
    if statement is None or scope is None or isinstance(function, ast.Lambda):
        draft = Draft(module)
        yield draft.before(call.args[0], f"{draft.name('jax.random.key')}(0), ")
        return
    draft = Draft(module)
    new = fresh_name(module, "subkey", "fresh_key")
    indent, split = indent_of(module, statement), draft.name("jax.random.split")
    draft.add_lines(statement.lineno, f"{indent}{name}, {new} = {split}({name})")
    draft.before(call.args[0], f"{new}, ")
    if scope is module.tree and isinstance(function, ast.FunctionDef):
        yield pass_through(draft, function, name, name)
    else:
        yield draft


def _keys_of(module: Module, scope: ast.AST) -> list[str]:
    """List the names of a scope that are bound to keys, and parameters that are called like one."""
    given = parameters(scope) if isinstance(scope, FunctionNode) else []
    found = [a.arg for a in given if a.arg in _KEY_NAMES]
    for node in own_nodes(scope):
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
            path = module.dotted(node.value.func) or ""
            is_key = path.startswith("jax.random.") and path.rpartition(".")[2] in _KEY_MAKERS
            found += [t.id for t in node.targets if is_key and isinstance(t, ast.Name)]
    return found


_KEY_NAMES = ("key", "rng", "rng_key", "prng_key")
_KEY_MAKERS = ("key", "PRNGKey", "fold_in")


def _is_key(found: AtCall, node: ast.expr) -> bool:
    fact = found.frame.fact(node)
    if fact is not None and (fact.kind == "typed_key" or fact.detail.startswith("key<")):
        return True
    path = found.frame.callee(node) or ""
    return path in ("jax.random.key", "jax.random.PRNGKey", "jax.random.fold_in")


def begin_at_zero(found: AtCall) -> Drafts:
    """Add the lower bound of a fori_loop: `range` may lack it, this loop may not."""
    call = found.node
    is_bound_missing = len(call.args) == 3 and is_function(found.frame, call.args[1])
    if found.path == "jax.lax.fori_loop" and is_bound_missing and not call.keywords:
        yield Draft(found.module).before(call.args[0], "0, ").certain()


def shape_tuple(found: AtCall) -> Drafts:
    """Pass the shape as one tuple."""
    first, second = found.node.args[1:3]
    draft = Draft(found.module).before(first, "(")
    yield draft.after(second, ")").certain()


# ---------------------------------------------------------------- callbacks


def pass_to_callback(found: HostCallback) -> Drafts:
    """Pass the traced values to the callback as arguments."""
    if not isinstance(found.function, ast.Lambda):
        return
    own = [a.arg for a in parameters(found.function)]
    body = found.module.text(found.function.body)
    draft = Draft(found.module)
    draft.replace(found.function, f"lambda {', '.join([*own, *found.names])}: {body}")
    last = found.call.args[-1]
    if len(found.call.args) == 1:
        yield add_argument(draft, found.call, tuple_text(found.names))
        return
    yield draft.after(last, ", " + ", ".join(found.names))
