"""Tests the words for reading Python: each is applied to a small source."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from pathlib import Path

import pytest

from jaxtutor.core.data.failures import Failure, NameFact
from jaxtutor.core.data.positions import Frame
from jaxtutor.core.diagnosis import reading
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.source import (
    FunctionNode,
    Module,
    read_module,
    read_modules,
)
from jaxtutor.core.diagnosis.reading import (
    calls,
    changes,
    functions,
    library_calls,
    loops,
    masks,
    names,
    other_files,
    patterns,
    shapes,
    values,
)

pytestmark = pytest.mark.cause

IMPORTS = "import jax\nimport jax.numpy as jnp\n"


def parsed(source: str) -> Module:
    """Parse a source that has the usual imports."""
    module = read_module("program.py", IMPORTS + source)
    assert module is not None
    return module


def expression(source: str) -> ast.expr:
    """Parse one expression."""
    return ast.parse(source, mode="eval").body


def call(source: str) -> ast.Call:
    """Parse one call."""
    node = expression(source)
    assert isinstance(node, ast.Call)
    return node


def function(source: str) -> FunctionNode:
    """Parse one function or lambda."""
    return parsed(source).functions[0]


def last(module: Module) -> ast.expr:
    """Return the expression that a file ends with."""
    statement = module.tree.body[-1]
    assert isinstance(statement, ast.Expr)
    return statement.value


def written(nodes: Iterable[ast.AST | None] | ast.AST | None) -> list[str]:
    """Write nodes as Python does; None is left out."""
    some = [nodes] if isinstance(nodes, ast.AST) or nodes is None else nodes
    return [ast.unparse(node) for node in some if node is not None]


# ---------------------------------------------------------------- all words

WORDS = [
    (path.stem, node)
    for path in sorted(Path(reading.__path__[0]).glob("*.py"))
    for node in ast.parse(path.read_text(encoding="utf-8")).body
    if isinstance(node, ast.FunctionDef) and not node.name.startswith("_")
]


@pytest.mark.parametrize("word", [node for _, node in WORDS], ids=lambda node: node.name)
def test_a_word_shows_an_example(word: ast.FunctionDef) -> None:
    """The docstring of every word of the vocabulary shows code, and this file uses the word."""
    assert "`" in (ast.get_docstring(word) or "")
    tree = ast.parse(Path(__file__).read_text(encoding="utf-8"))
    used = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    assert word.name in used, f"{word.name} of reading/ needs a test with its example in this file"


# ---------------------------------------------------------------- calls


def test_an_argument_is_found_by_position_or_name() -> None:
    """An argument is found by its position or a keyword, but not behind a starred argument."""
    assert ["0"] == written(calls.argument(call("f(x, 0)"), 1, "axis"))
    assert ["0"] == written(calls.argument(call("f(x, axis=0)"), 1, "axis"))
    assert calls.argument(call("f(*xs, 0)"), 1, "axis") is None
    assert ["axis=0"] == written(calls.keyword_of(call("f(x, axis=0)"), "axis"))
    assert ["0"] == written(calls.keyword_value(call("f(x, axis=0)"), "axis"))
    assert calls.keyword_value(call("f(x, 0)"), "axis") is None


def test_all_arguments_are_listed() -> None:
    """The arguments of a call are listed, those by keyword last."""
    assert ["x", "n"] == written(calls.passed_arguments(call("f(x, size=n)")))


def test_the_argument_for_a_parameter_is_found() -> None:
    """The argument for a parameter is found by name or position, and `self` is not counted."""
    own = function("def f(self, x, y): pass")
    assert ["1"] == written(calls.argument_for(own, call("model.f(0, 1)"), "y"))
    assert ["2"] == written(calls.argument_for(own, call("model.f(0, y=2)"), "y"))
    assert calls.argument_for(own, call("model.f(0)"), "y") is None


def test_a_call_is_named() -> None:
    """A call says which name, method or function it calls, and on what."""
    assert calls.is_call_of(expression("f(x)"), "f")
    assert not calls.is_call_of(expression("module.f(x)"), "f")
    assert calls.method_of(expression("x.sum()")) == "sum"
    assert calls.method_of(expression("x.T")) == ""
    assert ["d"] == written(calls.method_owner(expression("d.values()")))
    assert [] == written(calls.method_owner(expression("d.values()"), "items"))
    assert ["f"] == written(calls.called_name(expression("jax.vmap(f)(x)")))
    assert ["make"] == written(calls.callee_root(expression("make(model)(x)")))
    assert calls.called_identifier(expression("f(x).mean()")) == "mean"
    assert calls.called_identifier(expression("mean(x)")) == "mean"


def test_calls_are_listed() -> None:
    """The calls of a node, of an imported function and of a name are listed."""
    module = parsed("def step(x): ...\ny = jnp.dot(step(x), model.step(x))\n")
    assert ["f(g(x))", "g(x)"] == written(calls.calls_in(expression("f(g(x))")))
    assert ["jnp.dot(step(x), model.step(x))"] == written(calls.calls_of(module, "jax.numpy.dot"))
    assert ["step(x)", "model.step(x)"] == written(calls.calls_to(module, "step"))


@pytest.mark.parametrize(
    ("text", "is_unread"),
    [
        ("f(x)", True),
        ("f(x).block_until_ready()", True),
        ("jax.block_until_ready(f(x))", True),
        ("y = f(x)", False),
        ("y = f(x).block_until_ready()", False),
        ("g(f(x))", False),
        ("f(x).sum()", False),
    ],
)
def test_a_result_that_nothing_reads_is_known(text: str, is_unread: bool) -> None:
    """A result that a statement drops, or only waits for, counts as unread."""
    module = parsed(f"{text}\n")
    (call_of_f,) = calls.calls_to(module, "f")
    assert calls.is_unread(module, call_of_f) == is_unread


def test_the_text_of_a_call_is_found() -> None:
    """The span of the last method call begins at its dot; parentheses around a node are seen."""
    module = parsed("data.map(f).batch(8)\n")
    node = last(module)
    assert isinstance(node, ast.Call)
    assert module.text(calls.method_call_span(module, node)) == ".batch(8)"
    assert not calls.is_in_parentheses(module, node)
    module = parsed("(x)\n")
    assert calls.is_in_parentheses(module, last(module))


# ---------------------------------------------------------------- functions


def test_parameters_are_listed() -> None:
    """The parameters of a function are listed with those that take the rest."""
    own = function("def f(x, n=2, *rest, key): pass")
    assert ["x", "n", "key", "rest"] == functions.parameter_names(own)
    assert ["x", "n", "key", "rest"] == [p.arg for p in functions.parameters(own)]
    assert [] == functions.parameter_names(None)


def test_the_called_function_is_found() -> None:
    """A call leads to the only function with its name."""
    module = parsed("def step(x): ...\n")
    found = functions.called_function(module, call("model.step(x)"))
    assert found is module.functions[0]
    assert functions.called_function(module, call("other(x)")) is None


def test_results_are_listed() -> None:
    """The results of a function are listed without those of functions inside it."""
    own = function("def f(x):\n    if x: return\n    def g(): return 1\n    return g\n")
    assert [None, "g"] == [node and ast.unparse(node) for node in functions.returned(own)]
    assert ["return", "return g"] == written(functions.returns_of(own))
    assert functions.result_of(own) is None
    assert ["2 * x"] == written(functions.result_of(function("f = lambda x: 2 * x")))


def test_a_class_and_a_block_are_read() -> None:
    """The fields of a class, a docstring and the block of a statement are found."""
    module = parsed('class A:\n    """Adds."""\n    w: int\n    b: int = 0\n    c = 1\n')
    owner = module.tree.body[-1]
    assert isinstance(owner, ast.ClassDef)
    assert ["w", "b"] == functions.declared_fields(owner)
    assert [True, False] == [functions.is_docstring(line) for line in owner.body[:2]]
    assert owner.body == functions.block_of(module, owner.body[1])


# ---------------------------------------------------------------- names


def test_the_last_part_of_a_name_is_returned() -> None:
    """A path and a name end with the part behind the last dot."""
    assert names.last_part("jax.numpy.mean") == "mean"
    assert names.last_part(None) == ""
    assert names.last_name(expression("jnp.mean")) == "mean"
    assert names.last_name(expression("f(x).mean")) == ""


def test_names_are_listed() -> None:
    """The names in a node and the places that read one are listed."""
    tree = ast.parse("x = f(x) * x")
    assert {"x", "f"} == names.all_names(tree)
    assert [6, 11] == sorted(site.col_offset for site in names.load_sites(tree, "x"))


def test_assignments_are_found() -> None:
    """A name leads to its last assignment, and an attribute to its only one."""
    module = parsed("x = 1\nx = f(2)\nself.w = x\nself.w\n")
    statement, attribute = module.tree.body[-2], last(module)
    assert names.is_assignment_to(statement, "self.w")
    assert not names.is_assignment_to(statement, "self")
    assert ["1", "f(2)"] == written(names.assigned_values(module, "x"))
    assert ["x"] == written(names.assigned_value(module, attribute))
    assert isinstance(statement, ast.Assign)
    assert ["f(2)"] == written(names.assigned_value(module, statement.value))
    assert ["f(2)"] == written(names.bound_value(module, statement.value))
    assert names.bound_value(module, attribute) is attribute
    assert names.assigned_value(module, expression("f(x)")) is None


def test_what_a_loop_goes_through_is_found() -> None:
    """A name of a loop leads to its part of `zip` or `enumerate`."""
    source = expression("zip(a, b)")
    assert ["b"] == written(names.iterated(expression("(x, y)"), source, "y"))
    assert ["xs"] == written(names.iterated(expression("i, x"), expression("enumerate(xs)"), "x"))
    assert names.iterated(expression("i, x"), expression("enumerate(xs)"), "i") is None


# ---------------------------------------------------------------- values


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("2.5", "number scalars"),
        ("-1", "number integer scalars"),
        ("0", "number zero integer scalars"),
        ("True", "number scalars"),
        ('"relu"', "string"),
        ('f"{x}"', ""),
        ("None", "none"),
        ("[0.0] * 3", "scalars"),
        ("[x]", ""),
    ],
)
def test_a_literal_has_kinds(text: str, kinds: str) -> None:
    """A literal is a number, a whole number, zero, None, a string or made of Python numbers."""
    node = expression(text)
    found = {
        "number": values.is_number(node),
        "none": values.is_none(node),
        "zero": values.is_zero(node),
        "integer": values.is_integer(node),
        "string": values.is_string(node),
        "scalars": values.is_python_scalars(node),
    }
    assert set(kinds.split()) == {kind for kind, is_so in found.items() if is_so}


def test_the_elements_of_a_sequence_are_listed() -> None:
    """A display has elements; an option may also be one element alone."""
    pair, one = expression('("a", 1)'), expression("0")
    assert ["'a'", "1"] == written(values.elements(pair))
    assert [] == values.elements(one)
    assert ["0"] == written(values.elements_or_itself(one))
    assert [] == values.elements_or_itself(None)
    assert ["a"] == values.option_strings(pair)
    assert [1] == values.option_integers(pair)
    assert [0] == values.option_integers(one)
    assert {"a", "b"} == values.strings_in(expression('f("a", key="b")'))


def test_arithmetic_is_taken_apart() -> None:
    """A product has two factors, and arithmetic has operands."""
    assert ["a", "b"] == written(values.factors(expression("a * b")))
    assert [] == values.factors(expression("a + b"))
    assert ["a", "b", "c"] == written(values.operands(expression("a + -b * c")))


@pytest.mark.parametrize(
    ("text", "array", "whole"),
    [
        ("jnp.mean(x)", ["x"], ["x"]),
        ("x.mean()", ["x"], ["x"]),
        ("jnp.mean(x, axis=0)", ["x"], []),
        ("jnp.mean(x, 0)", ["x"], []),
        ("x.mean(0)", ["x"], []),
        ("jnp.sum(x)", [], []),
        ("mean(x)", [], []),
    ],
)
def test_the_array_of_a_reduction_is_found(text: str, array: list[str], whole: list[str]) -> None:
    """A reduction is read as a function and as a method, with or without an axis."""
    module = parsed(text)
    assert array == written(values.reduced_array(module, last(module), "mean", "max"))
    assert whole == written(values.wholly_reduced_array(module, last(module), "mean", "max"))


# ---------------------------------------------------------------- shapes


def test_a_type_has_axes() -> None:
    """The sizes and the number of the axes of a type are read from its text."""
    assert ["8", "n"] == shapes.axis_sizes("float32[8,n]")
    assert [] == shapes.axis_sizes("float32[]")
    assert [8, 3] == shapes.known_sizes("(8, 3)")
    assert [2, 1, 0] == [shapes.rank(f"float32[{sizes}]") for sizes in ("8,3", "8", "")]


# ---------------------------------------------------------------- loops


def test_loops_are_read() -> None:
    """A loop is found around a node, with what it binds, reads and carries on."""
    module = parsed("for i in r:\n    y = g(i)\n    state = step(state, y)\n")
    loop = module.tree.body[-1]
    assert isinstance(loop, ast.For)
    step = next(iter(calls.calls_to(module, "step")))
    assert loops.loop_around(module, step) is loop
    assert loops.loop_around(module, loop) is None
    assert {"i", "y", "state"} == loops.paths_bound_in(loop)
    assert {"f", "a", "a.b"} == loops.paths_in(expression("f(a.b)"))
    assert {"state"} == loops.carried(module, loop, step)
    assert [False, True] == [loops.updates_itself(s, "state") for s in loop.body]


# ---------------------------------------------------------------- masks


def test_a_mask_is_known_by_what_makes_it() -> None:
    """A comparison is a mask, also where a call passes it for a parameter."""
    module = parsed("def f(x):\n    return x\nf((data > 0).astype(float))\n")
    own = functions.result_of(module.functions[0])
    assert isinstance(own, ast.Name)
    assert ["(data > 0).astype(float)"] == written(masks.passed_values(module, own))
    assert masks.is_mask(module, own)
    for text in ("data + 1", "jnp.where(ok, None, 'a')", "jnp.where(ok, 0, 2)"):
        module = parsed(text)
        assert not masks.is_mask(module, last(module))
    module = parsed("jnp.where(ok, 1, 0)")
    assert masks.is_mask(module, last(module))


# ---------------------------------------------------------------- library calls

PROGRAM = """
net = make()
def loss(params, x):
    y = net.apply(params, x + 1)
    return y
w = 3
loss(w, data)
"""


def failing_context() -> FailureContext:
    """Describe a failure in `net.apply`, called by `loss(w, data)`."""
    module = parsed(PROGRAM)
    outer, inner = last(module), next(iter(calls.calls_to(module, "apply")))
    model = NameFact("net", "other", "flax.M", bases=("flax.linen.module.Module",))
    facts = (model, NameFact("x", "array", "float32[3]"))
    frames = (
        Frame("program.py", "<module>", module.span(outer)),
        Frame("program.py", "loss", module.span(inner)),
    )
    failure = Failure(
        "TypeError",
        ("TypeError",),
        "",
        frames,
        names=facts,
        call_names=((), facts),
        passed=(NameFact("x + 1", "array", "float32[3]"),),
    )
    return FailureContext(failure, {"program.py": module.source})


def test_a_library_call_is_read() -> None:
    """The call of a library is found with its object, its values and its file."""
    context = failing_context()
    found = library_calls.library_call(context, "apply")
    assert found is not None
    frame, node = found
    assert library_calls.is_module_of("linen", frame, "net")
    assert not library_calls.is_module_of("nnx", frame, "net")
    assert library_calls.package_called(frame, call("net(x)")) == "flax"
    assert library_calls.place_of_call(frame, node) == "net.apply"
    assert library_calls.home_of(context, node) is frame.module
    assert library_calls.home_of(context, call("f(x)")) is None
    fact = library_calls.known_fact(context, frame, node.args[1])
    assert fact is not None
    assert fact.detail == "float32[3]"


def test_a_value_is_followed_to_the_caller() -> None:
    """A parameter leads to what the caller passed, and a name to its assignment."""
    context = failing_context()
    frame = context.frames[-1]
    params = calls.passed_arguments(context.call or call("f(x)"))[0]
    assert ["w"] == written(library_calls.passed_value(context, 1, params))
    assert ["params", "w", "3"] == written(library_calls.given_values(context, frame, params))


def test_names_in_sight_and_keys_are_told_apart() -> None:
    """A frame reads its own names and those of the file; a key has one of two types."""
    frame = failing_context().frames[-1]
    assert [True, True, False] == [
        library_calls.in_sight(frame, name) for name in ("x", "w", "other")
    ]
    assert library_calls.is_key("uint32[2]")
    assert not library_calls.is_key("uint32[3,2]")


@pytest.mark.parametrize(
    ("made", "sizes"),
    [
        ("jnp.ones((n, 3))", ["n", "3"]),
        ("jnp.full(fill_value=0, shape=[n])", ["n"]),
        ("jax.random.normal(key, (n, 3))", ["n", "3"]),
        ("jnp.ones(shape)", []),
        ("jnp.asarray((n, 3))", []),
        ("x", []),
    ],
)
def test_the_shape_of_a_new_array_is_read(made: str, sizes: list[str]) -> None:
    """Functions that fill or draw an array state its sizes; other values have none that show."""
    module = parsed(made)
    assert sizes == written(values.new_array_shape(module, last(module)))


# ---------------------------------------------------------------- patterns


def test_a_pattern_finds_expressions() -> None:
    """A pattern finds the places in a file, and the ways in which it matches an expression."""
    module, product = parsed("e = jnp.mean(y - z)\n"), call("f(a * b)").args[0]
    ((place, bound),) = patterns.find(module, "jnp.mean($x)")
    assert ["jnp.mean(y - z)", "y - z"] == written([place, bound["x"]])
    ways = patterns.matches(module, product, "$x * $y")
    assert ["a", "b"] == written(way["x"] for way in ways)
    assert patterns.first_match(module, product, "$x + $y") is None
    (first,) = (patterns.first_match(module, call("f(a)"), "f($x)") or {}).values()
    assert ["a"] == written(first)
    assert patterns.fits(module, call("f(a)"), "f($x)")
    assert not patterns.fits(module, call("g(a)"), "f($x)")


# ---------------------------------------------------------------- changes and other files


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("jnp.clip(x - 1, 0, 1) / 2", "x"),
        ("jax.tree.map(lambda g: 2 * g, grads)", "grads"),
        ("x.at[0].set(y)", "x"),
        ("jnp.where(mask, x, 0)", "x"),
        ("state.replace(step=1)", "state"),
        ("halved(y)", "y"),
        ("jnp.mean(x)", ""),
        ("model.apply(params, x)", ""),
    ],
)
def test_a_new_version_of_a_value_is_recognised(value: str, expected: str) -> None:
    """Its name is found through arithmetic, functions of JAX and those of the learner."""
    module = parsed("def halved(v):\n    return 0.5 * v\n")
    assert expected == changes.changed_name(module, expression(value))


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("from loops import step\nstep(1)", "loops.py"),
        ("import loops as l\nl.step(1)", "loops.py"),
        ("from .loops import step\nstep(1)", "loops.py"),
        ("def step(x): return x\nstep(1)", "train.py"),
        ("from other import step\nstep(1)", ""),
        ("model.step(1)", ""),
    ],
)
def test_a_called_function_is_found_in_its_file(source: str, expected: str) -> None:
    """The import says in which file a function is; a method of an object may be anything."""
    modules = read_modules({"loops.py": "def step(x): return x\n", "train.py": source})
    func = modules["train.py"].calls[-1].func
    found = other_files.function_called(modules, modules["train.py"], func)
    assert expected == (found[0].file if found is not None else "")


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("-(2**31) - 1", -(2**31) - 1),
        ("1 << 40", 2**40),
        ("3 * int(1e9)", 3_000_000_000),
        ("sys.maxsize", 2**63 - 1),
        ("np.iinfo(np.int64).min", -(2**63)),
        ("np.iinfo(np.int32).max", None),
        ("2 ** 2 ** 2 ** 9", None),
        ("True", None),
        ("7 // 2", None),
        ("x + 1", None),
    ],
)
def test_an_integer_is_computed(text: str, number: int | None) -> None:
    """Arithmetic of integers that are written out has a value, as have the limits of 64 bits."""
    module = parsed(f"import sys\nimport numpy as np\n\n{text}\n")
    assert number == values.constant_integer(module, last(module))
