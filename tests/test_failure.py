"""Tests the description of exceptions: spans, names, origins, and hostile exceptions."""

from __future__ import annotations

import linecache
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent
from types import ModuleType
from typing import Any

import jax
import pytest

from jaxtutor.core.data.failures import Failure, NameFact, PassedPart
from jaxtutor.worker import own_files
from jaxtutor.worker.failures import failure

FILE = "/learner/program.py"
PRELUDE = "import jax\nimport jax.numpy as jnp\nimport numpy as np\n"


@pytest.fixture(autouse=True)
def empty_caches() -> Iterator[None]:
    """Clear jax's caches before each test."""
    yield
    jax.clear_caches()


def is_own(file: str) -> bool:
    """Return True for the program's own frames."""
    return file == FILE


def fail(source: str) -> Failure:
    """Run a program that raises and describe the exception."""
    text = PRELUDE + dedent(source)
    linecache.cache[FILE] = (len(text), None, text.splitlines(keepends=True), FILE)
    module = ModuleType("program")
    module.__file__ = FILE
    try:
        exec(compile(text, FILE, "exec"), module.__dict__)
    except BaseException as error:
        return failure.describe(error, is_own)
    raise AssertionError("the program did not raise")


def origin(source: str) -> list[tuple[str, str]]:
    """Return the expressions and types of a failure's origin."""
    return [(step.expression, step.aval) for step in fail(source).origin]


def fact(found: Failure, name: str) -> NameFact | None:
    """Return the fact about a name in the innermost frame."""
    return next((f for f in found.names if f.name == name), None)


def test_frames_are_the_learners_alone_with_exact_spans() -> None:
    """Only the learner's frames are listed, each with the span of the evaluated expression."""
    found = fail(
        """
        def clip(x):
            if x.sum() < 0:
                return -x
            return x
        jax.jit(clip)(jnp.ones(3))
        """
    )
    assert [("<module>", 9), ("clip", 6)] == [(f.function, f.span.line) for f in found.frames]
    assert (7, 18) == (found.frames[-1].span.column, found.frames[-1].span.end_column)


def test_columns_count_characters_and_not_bytes() -> None:
    """The column of an expression after a non-ASCII name counts characters."""
    found = fail("é = jax.jit(lambda x: x.item())\né(1.0)\n")
    assert 22 == found.frames[-1].span.column


def test_the_transformation_and_its_function_are_named() -> None:
    """The innermost transformation on the stack is named, with the function that it traces."""
    found = fail("def f(x):\n    return np.sin(x)\njax.jit(lambda x: jax.vmap(f)(x))(jnp.ones(3))")
    assert ("vmap", "f") == (found.transformation, found.traced_function)


def test_the_library_functions_are_named_as_one_imports_them() -> None:
    """The library's frames have their public names."""
    assert "jax.numpy.tile" in fail("jax.jit(jnp.tile)(jnp.ones(3), 2)").jax_frames


def test_an_origin_begins_with_the_argument() -> None:
    """Under jit, the origin leads from the argument through each expression to the fault."""
    chain = origin(
        """
        def f(x, y):
            a = jnp.sin(x)
            b = a + y
            if b.sum() > 0:
                return b
        jax.jit(f)(jnp.ones(3), 1.0)
        """
    )
    assert ("b.sum() > 0", "bool[]") == chain[-1]
    assert chain[0][0] in ("x", "y")


def test_an_origin_has_one_step_for_each_expression() -> None:
    """The operations of one call form one step."""
    chain = origin("def f(x):\n    return np.sin(jnp.var(x))\njax.jit(f)(jnp.ones(3))")
    assert ["x", "jnp.var(x)"] == [expression for expression, _ in chain]


def test_an_origin_under_grad_begins_with_the_argument() -> None:
    """Under grad, the argument is found although JAX does not record its name."""
    chain = origin("def f(w):\n    h = w['a'] * 2\n    return np.sin(h)\njax.grad(f)({'a': 1.0})")
    assert [("w['a']", "w['a'] * 2")] == [(chain[0][0], chain[-1][0])]


def test_an_origin_under_vmap_knows_the_argument() -> None:
    """Under vmap, an argument that is used directly is found."""
    assert "x" == origin("def f(x):\n    return np.sin(x)\njax.vmap(f)(jnp.ones(3))")[0][0]


def test_an_origin_under_vmap_goes_back_to_the_argument() -> None:
    """Under vmap, which records no equations, the origin is found from names in expressions."""
    chain = origin(
        "def f(x):\n    h = x * 2\n    y = h + 1\n    return float(y)\njax.vmap(f)(jnp.ones(3))"
    )
    assert ["x", "x * 2", "h + 1"] == [expression for expression, _ in chain]


def test_an_origin_under_jit_of_grad_goes_through_both() -> None:
    """Nested transformations give one origin."""
    chain = origin("def f(w):\n    h = w * 2\n    return float(h)\njax.jit(jax.grad(f))(1.0)")
    assert ["w", "w * 2"] == [expression for expression, _ in chain]


def test_the_first_step_has_the_parameters_span() -> None:
    """The argument's step has the span of the parameter."""
    step = fail("def f(axis, x):\n    return x.sum(axis)\njax.jit(f)(0, jnp.ones(3))").origin[0]
    assert step.span is not None
    assert (4, 6) == (step.span.line, step.span.column)


@pytest.mark.parametrize(
    ("expression", "kind", "detail"),
    [
        ("x", "tracer", "~float32[]"),
        ("table", "ndarray", "float64[3]"),
        ("items", "list", "2"),
        ("np.sin", "function", "numpy.sin"),
        ("alias", "function", "numpy.cos"),
        ("jnp", "module", "jax.numpy"),
        ("nothing", "none", "NoneType"),
        ("key", "typed_key", "key<fry>[]"),
        ("box.held", "number", "int"),
        ("box.computed", "missing", ""),
        ("undefined", "missing", ""),
    ],
)
def test_a_name_is_described_by_what_it_is(expression: str, kind: str, detail: str) -> None:
    """Each name and dotted path of the faulty statement has a kind and a detail."""
    found = fail(
        f"""
        from numpy import cos as alias
        class Box:
            def __init__(self):
                self.held = 3
            @property
            def computed(self):
                raise SystemExit
        table, items, nothing = np.arange(3.0), [1, 2], None
        key, box = jax.random.key(0), Box()
        def f(x):
            return float(x), {expression}
        jax.jit(f)(1.0)
        """
    )
    known = fact(found, expression)
    assert known is not None
    assert (kind, detail) == (known.kind, known.detail)


def test_a_function_of_the_learners_is_marked() -> None:
    """A function that the program defines is marked as its own."""
    found = fail("def g(x):\n    return x\ndef f(x):\n    return float(g(x))\njax.jit(f)(1.0)")
    known = fact(found, "g")
    assert known is not None
    assert known.own


def test_the_exception_it_was_raised_from_is_described_too() -> None:
    """A linked exception is described with its own class and frames."""
    found = fail("o = np.zeros(2)\ndef f(x):\n    o[0] = x\njax.jit(f)(1.0)")
    assert "ValueError" == found.error_class
    assert found.linked is not None
    assert "TracerArrayConversionError" == found.linked.error_class or "TypeError" in (
        found.linked.bases
    )


# ---------------------------------------------------------------- hostile exceptions


@pytest.mark.parametrize(
    "body",
    [
        "def __str__(self): raise SystemExit(3)",
        "def __str__(self): return 7",
        "def __repr__(self): raise KeyboardInterrupt",
        "__traceback__ = property(lambda self: 1 / 0)",
        "__class__ = property(lambda self: 1 / 0)",
        "def __getattribute__(self, name): raise RuntimeError",
    ],
)
def test_a_hostile_exception_is_described(body: str) -> None:
    """An exception whose class misbehaves is described with its name."""
    assert "Hostile" == fail(f"class Hostile(Exception):\n    {body}\nraise Hostile()").error_class


def test_a_long_message_is_capped() -> None:
    """A message of a million characters is shortened."""
    assert failure.MESSAGE_CAP == len(fail("raise ValueError('x' * 1_000_000)").message)


def test_a_deep_recursion_keeps_both_ends() -> None:
    """Of a thousand frames, the outermost and the innermost are kept."""
    found = fail("def f(n):\n    return f(n + 1)\nf(0)")
    assert ("RecursionError", failure.MOST_FRAMES) == (found.error_class, len(found.frames))
    assert "<module>" == found.frames[0].function


def test_a_hostile_value_is_not_run() -> None:
    """Describing the names of a frame runs none of the learner's code."""
    found = fail(
        """
        class Bomb:
            def __getattr__(self, name):
                raise SystemExit
            def __eq__(self, other):
                raise SystemExit
            def __repr__(self):
                raise SystemExit
        def f(bomb):
            return bomb + 1, bomb.missing.more
        f(Bomb())
        """
    )
    known = fact(found, "bomb")
    assert known is not None
    assert "other" == known.kind


def test_a_linked_cycle_ends() -> None:
    """Of exceptions that are linked in a circle, only a few are described."""
    found: Any = fail("a = ValueError()\nb = KeyError()\na.__cause__ = b\nb.__cause__ = a\nraise a")
    depth = 0
    while found is not None:
        found, depth = found.linked, depth + 1
    assert failure.MOST_LINKS + 1 == depth


def test_a_wrapped_object_without_a_truth_is_described() -> None:
    """A wrapped object whose `__bool__` raises is described."""
    found = fail(
        """
        from functools import partial
        import numpy as np
        class Silent:
            def __bool__(self):
                raise TypeError("neither true nor false")
            def __call__(self):
                raise ValueError("asked")
        call = partial(Silent())
        call()
        """
    )
    assert "ValueError" == found.error_class


# ---------------------------------------------------------------- whose file it is


def test_this_package_is_not_the_learners() -> None:
    """A script above an editable checkout owns the files beside it, and not this package's."""
    assert failure.__file__ is not None
    checkout = Path(failure.__file__).parents[2]
    is_learners = own_files.ownership(str(checkout / "train.py"))
    assert [True, True, False] == [
        is_learners(str(checkout / "train.py")),
        is_learners(__file__),
        is_learners(failure.__file__),
    ]


def test_the_leaf_that_is_not_an_array_is_found_by_its_address() -> None:
    """Of several functions among the arguments, the one that the message means is named."""
    found = fail(
        """
        def euler(y):
            return y

        start = (jnp.ones(2), {"stepper": euler})
        jax.lax.while_loop(lambda s: s[0].sum() < 1, lambda s: s, start)
        """
    ).part
    assert found == PassedPart("start[1]['stepper']", "the function `euler`", is_inner=True)


def test_a_refused_argument_is_named_by_its_class() -> None:
    """A class in a message leads to the argument that is of it."""
    assert fail("row = [1, 2]\njnp.sum(row)\n").part == PassedPart("row", "a list with 2 items")


@pytest.mark.parametrize(
    ("trees", "expected"),
    [
        ("{'w': x, 'b': x}, {'w': x, 'b': None}", ("a['b']", "c['b']", "None")),
        ("[{'w': x}], [{'w': x, 'v': x}]", ("c[0]['v']", "a[0]", "")),
        ("(x, x), [x, x]", ("a", "c", "a list with 2 items")),
    ],
)
def test_the_first_part_by_which_mapped_trees_differ_is_named(
    trees: str, expected: tuple[str, str, str]
) -> None:
    """Trees that `jax.tree.map` goes through together are compared by what they hold."""
    source = f"x = jnp.ones(2)\na, c = {trees}\njax.tree.map(lambda p, q: p * q, a, c)\n"
    found = fail(source).part
    assert found is not None
    assert (found.path, found.other, found.other_said) == expected


def test_the_leaves_that_a_mapped_function_could_not_combine_are_named() -> None:
    """Of all leaves of two trees, those are named for which the function was called."""
    source = """
        a = {"n": jnp.ones(2), "k": jnp.ones(3)}
        c = {"n": jnp.ones(2), "k": jnp.ones(3, int)}
        jax.tree.map(lambda p, q: jax.lax.add(p, q), a, c)
        """
    expected = PassedPart("a['k']", "`float32[3]`", True, "c['k']", "`int32[3]`")
    assert fail(source).part == expected


def test_a_function_that_a_library_calls_with_too_little_is_named() -> None:
    """The function is known that a library called, though the learner called another one."""
    found = fail("import jax.nn.initializers as i\njax.eval_shape(i.normal(1.0), 1)\n")
    assert found.handed is not None
    assert (found.handed.given, found.handed.is_class) == ("i.normal(1.0)", False)
    assert found.handed.parameters[:2] == ("key", "shape")
