"""Tests the table of what JAX has for expressions of NumPy and PyTorch, on the installed jax."""

from __future__ import annotations

import ast
import inspect
import re
from operator import attrgetter

import pytest

from guide_pages import guide_document, guide_pages
from jaxtutor.cli import run
from jaxtutor.content.cause_pages import Library
from jaxtutor.content.guides import GUIDES
from jaxtutor.content.loading import load_course
from jaxtutor.core.data.counterparts import Equivalent, plain_code
from jaxtutor.core.data.failures import Failure, NameFact
from jaxtutor.core.data.positions import Frame, Span
from jaxtutor.core.diagnosis.causes.jax_api.jax_names import NAMES
from jaxtutor.core.diagnosis.engine import counterparts
from jaxtutor.core.diagnosis.engine.context import FrameContext
from jaxtutor.core.diagnosis.engine.counterparts import describe_counterpart, translations
from jaxtutor.core.diagnosis.engine.diagnose import diagnose
from jaxtutor.core.diagnosis.engine.source import Module, read_module

LIBRARY = Library()
ROWS = [row for group in LIBRARY.counterparts for row in group.row]
HEAD = """
import math
import random

import jax
import jax.numpy as jnp
import numpy as np
import torch
"""
STATIC = frozenset("axis dtype f i m n shape total lr low high index".split())
"""Names of the samples that are not traced."""
OUTSIDE = frozenset({"file", "f", "params", "labels"})
"""Names of code that is for the outside of compiled functions, or that compiles itself."""


def samples() -> dict[str, object]:
    """Return a value for each name in the code of the table."""
    import jax
    import jax.numpy as jnp

    x = jnp.array([[3.0, 1.0], [0.0, 2.0]])
    return {
        "x": x, "y": x + 1, "w": x[0], "a": x > 1, "b": x > 2, "mask": x > 1, "v": 5.0, "p": 0.5,
        "i": 0, "n": 4, "m": 1, "axis": 1, "dtype": jnp.float32, "shape": (2, 2), "total": 8,
        "lr": 0.1, "low": 0, "high": 9, "seed": 0, "mean": jnp.zeros(2), "std": 1.0,
        "cov": jnp.diag(jnp.ones(2)),
        "index": jnp.array([[0, 1], [1, 0]]), "key": jax.random.key(0), "logits": x,
        "labels": jnp.array([0, 1]), "params": x[0], "grads": x[0], "carry": 0.0, "xs": x[0],
        "f": jnp.sin, "loss": lambda w: (w * w).sum(), "step": lambda c, s: (c + s, c),
        "model": lambda params, x: x @ params,
    }  # fmt: skip


def row_id(row: Equivalent) -> str:
    """Name a row in a test's id."""
    return plain_code(row.typed[0])


each_row = pytest.mark.parametrize("row", ROWS, ids=row_id)


@each_row
def test_what_jax_has_runs(row: Equivalent, tmp_path: object) -> None:
    """The code of a row runs on the installed jax, and while it is traced where it is for that."""
    import jax
    import jax.numpy as jnp
    import numpy as np

    rest = REST.get(plain_code(row.typed[0]), "")
    code = plain_code(row.jax).replace("x): ...", "x): pass")
    code = counterparts._put_rest(code, rest)
    given = samples()
    given |= {"jax": jax, "jnp": jnp, "np": np, "file": f"{tmp_path}/x.npy"}
    if special := SPECIAL.get(plain_code(row.typed[0])):
        given |= {name: eval(text, given) for name, text in special.items()}
    exec(code, dict(given))
    names = {node.id for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Name)}
    if names & OUTSIDE or "device_put" in code or "np." in code.replace("jnp.", ""):
        return
    traced = {name: given[name] for name in names & samples().keys() - STATIC}
    traced = {name: it for name, it in traced.items() if not callable(it)}
    jax.jit(lambda values: exec(code, {**given, **values}))(traced)


REST = {"x.view(...)": "-1", "x.resize(...)": "(4,)", "torch.cat(...)": "[x, x]"}
"""Arguments of rows that need further ones."""

SPECIAL = {
    "np.bincount(x, minlength=n)": {"x": "jnp.array([0, 1, 1])"},
    "np.put_along_axis(x, i, v, axis)": {"i": "jnp.array([[0], [1]])"},
    "np.repeat(x, n)": {"x": "jnp.arange(2.0)", "n": "jnp.array([1, 2])"},
    "np.trim_zeros(x)": {"x": "jnp.arange(2.0)"},
    "x[i] = v": {"x": "jnp.arange(2.0)"},
    "x ^ n": {"n": "2"},
    "a and b": {"a": "jnp.array(True)", "b": "jnp.array(False)"},
    "x.expand(...)": {"x": "jnp.zeros((1, 2))"},
    "x.topk(n)": {"n": "1"},
    "x.index_select(i, index)": {"index": "jnp.array([0, 1])"},
    "x.scatter_add(i, index, v)": {"index": "jnp.array([0, 1])"},
    "x.scatter(i, index, v)": {"index": "jnp.array([0, 1])"},
    "np.random.choice(n, p=p)": {"p": "jnp.array([0.5, 0.5])"},
    "if x > 0: y = a": {"a": "x", "b": "x"},
}
"""Samples of rows that need others."""

OF_NUMPY = [
    ("np.bincount(x, minlength=n)", "jnp.bincount(x, length=n)", {"x": [0, 1, 1], "n": 3}),
    ("np.extract(x > 1, x).sum()", "jnp.where(x > 1, x, 0).sum()", {"x": [1.0, 2.0, 3.0]}),
    ("np.repeat(x, n)", "jnp.repeat(x, n, total_repeat_length=3)", {"x": [4, 5], "n": [1, 2]}),
    ("np.clip(x, a_min=0, a_max=1)", "jnp.clip(x, min=0, max=1)", {"x": [-1.0, 0.5, 3.0]}),
]


@pytest.mark.parametrize(("typed", "jax_code", "given"), OF_NUMPY)
def test_what_jax_has_gives_what_numpy_gives(
    typed: str, jax_code: str, given: dict[str, object]
) -> None:
    """The other call has the result that the expression has in NumPy."""
    import jax.numpy as jnp
    import numpy as np

    ours = {name: jnp.asarray(it) if isinstance(it, list) else it for name, it in given.items()}
    theirs = {name: np.asarray(it) if isinstance(it, list) else it for name, it in given.items()}

    assert f"Write `{jax_code}`." in instead(typed) or "=3" in jax_code or ".sum()" in typed
    assert (eval(typed, {**theirs, "np": np}) == eval(jax_code, {**ours, "jnp": jnp})).all()


CHANGES = {
    "np.put(x, i, v)": "x.at[i].set(v)",
    "np.add.at(x, i, v)": "x.at[i].add(v)",
    "np.subtract.at(x, i, v)": "x.at[i].subtract(v)",
    "np.multiply.at(x, i, v)": "x.at[i].multiply(v)",
    "np.maximum.at(x, i, v)": "x.at[i].max(v)",
    "np.minimum.at(x, i, v)": "x.at[i].min(v)",
    "np.putmask(x, x > 1, v)": "jnp.where(x > 1, v, x)",
    "np.copyto(x, y)": "jnp.broadcast_to(y, x.shape)",
    "np.fill_diagonal(x, v)": "jnp.fill_diagonal(x, v, inplace=False)",
    "np.put_along_axis(x, i, v, 0)": "jnp.put_along_axis(x, i, v, axis=0, inplace=False)",
}


@pytest.mark.parametrize("typed", CHANGES)
def test_a_new_array_is_what_numpy_would_have_changed(typed: str) -> None:
    """What is written in place of a function that changes its argument returns the same values."""
    import jax.numpy as jnp
    import numpy as np

    square = "diagonal" in typed
    x = np.arange(4.0).reshape(2, 2) if square else np.arange(4.0)
    given = {"i": np.array([1, 1, 2]), "v": 7.0, "y": np.full(4, 9.0)}
    ours = jnp.asarray(x)
    exec(typed, {"np": np, "x": x, **given})

    assert f"Write `x = {CHANGES[typed]}`." in instead(typed, alone=True)
    assert (x == eval(CHANGES[typed], {"jnp": jnp, "x": ours, **given})).all()


def module_of(code: str) -> Module:
    """Return a file that imports what the table speaks of, and ends with an expression."""
    module = read_module("program.py", HEAD + code + "\n")
    assert module is not None
    return module


def frame_of(code: str) -> FrameContext:
    """Return the frame of the value of the statement at the end of a file, without facts."""
    module = module_of(code)
    span = module.span(module.tree.body[-1].value)  # type: ignore[attr-defined]
    return FrameContext(module, Frame("program.py", "f", span), ())


def instead(code: str, *, alone: bool = False) -> str:
    """Return what the advice says of an expression, which may be a statement alone."""
    frame = frame_of(code if alone else f"result = {code}")
    facts = describe_counterpart(LIBRARY["attribute-typo"], frame, frame.node)
    return facts.get("instead", "")


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ("(r + 2).detach()", "Write `jax.lax.stop_gradient(r + 2)`."),
        ("y.unsqueeze(1)", "Write `jnp.expand_dims(y, 1)`."),
        ("(x / 2).type(x.dtype)", "Write `(x / 2).astype(x.dtype)`."),
        ("jnp.cat([a, b], dim=-1)", "Write `jnp.concatenate([a, b], axis=-1)`."),
        ("x.softmax(dim=1)", "Write `jax.nn.softmax(x, axis=1)`."),
        ("x.exp()", "Write `jnp.exp(x)`."),
        ("jnp.sigmoid(x)", "Write `jax.nn.sigmoid(x)`."),
        ("np.linalg.norm(x, axis=0)", "Write `jnp.linalg.norm(x, axis=0)`."),
        ("np.sum(x, out=y)", "Write `jnp.sum(x)`."),
        ("np.random.randn(2, n)", "Write `jax.random.normal(key, (2, n))`."),
        ("np.random.rand(*x.shape)", "Write `jax.random.uniform(key, (*x.shape,))`."),
        ("np.random.seed(step)", "Use `jax.random.normal(key, shape)`."),
        ("jnp.random.normal(m, s)", "Use `"),
        ("jax.vmap(np.outer)(a, b)", "Write `jnp.outer`."),
        ("math.sqrt(x)", "Write `jnp.sqrt(x)`."),
        ("pred.view(-1, 3)", "Write `pred.reshape(-1, 3)`."),
        ("jnp.sqaure(x)", "Write `jnp.square(x)`."),
        ("np.random.randint(1, 9, size=2)", "Write `jax.random.randint(key, (2,), 1, 9)`."),
        ("jnp.norm(x, dim=-1)", "Write `jnp.linalg.norm(x, axis=-1)`."),
        ("jax.norm(x)", "Write `jnp.linalg.norm(x)`."),
        ("x.flatten(1)", "Write `x.reshape(x.shape[0], -1)`."),
        ("x.flatten(0, -2)", "Write `x.reshape(-1, x.shape[-1])`."),
        ("x.flatten(1, 2)", "Use `x.reshape(shape)`."),
        ("x.repeat(n, 1)", "Write `jnp.tile(x, (n, 1))`."),
        ("x.size(-1)", "Write `x.shape[-1]`."),
        ("(a - b) ^ 2", "Write `(a - b) ** 2`."),
    ],
)
def test_advice_has_the_names_of_the_program(typed: str, says: str) -> None:
    """The line to write has the learner's expressions in it."""
    assert instead(typed).startswith(says)


@pytest.mark.parametrize(
    "typed", ["x.foo()", "np.foo(x)", "np.exp(x, where=m)", "f(x)", "time.time()"]
)
def test_what_jax_does_not_have_is_not_advised(typed: str) -> None:
    """A name that neither the table nor JAX has, or that takes other arguments, gets no line."""
    assert "" == instead(typed)


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ("x = torch.sin(a)", "For `torch.sin(a)` write `jnp.sin(a)`."),
        ("torch.no_grad()", "Take the `with` out"),
        ("pass", "`jaxtutor explain pytorch` lists what JAX has."),
    ],
)
def test_an_import_of_pytorch_is_answered(body: str, says: str) -> None:
    """Where PyTorch is missing, the advice is what JAX has for the calls of the file."""
    source = f"import torch\n{body}\n"
    frame = Frame("program.py", "<module>", Span(1, 0, 1, 12))
    failure = Failure("ModuleNotFoundError", (), "No module named 'torch'", (frame,))
    found = diagnose(failure, {"program.py": source}, LIBRARY)

    assert found is not None
    assert says in found.diagnosis.advice


def test_a_failure_without_a_cause_is_answered_from_the_table() -> None:
    """`x.size()` of an array raises a plain TypeError, and the advice is the shape."""
    source = "def f(x):\n    return x.size()\n"
    frame = Frame("program.py", "f", Span(2, 11, 2, 19))
    names = (NameFact("x", "tracer", "float32[3]"),)
    failure = Failure(
        "TypeError", (), "'int' object is not callable", (frame,), call_names=(names,)
    )
    found = diagnose(failure, {"program.py": source}, LIBRARY)

    assert found is not None
    assert found.diagnosis.advice.startswith("Write `x.shape`.")


@pytest.mark.parametrize(
    ("typed", "message", "says"),
    [
        (
            "jnp.put(x, 0, 1)",
            "jnp.put cannot modify arrays in-place",
            "Write `x = x.at[0].set(1)`.",
        ),
        ("jnp.put(x, 0, 1)", "got an array of another shape", "Here `x` is"),
    ],
)
def test_a_function_that_changes_its_argument_is_answered(
    typed: str, message: str, says: str
) -> None:
    """`jnp.put(x, i, v)` is answered as NumPy's, if it was refused because it changes `x`."""
    source = f"import jax.numpy as jnp\ndef f(x):\n    {typed}\n    return x\n"
    frame = Frame("program.py", "f", Span(3, 4, 3, 4 + len(typed)))
    names = (NameFact("x", "tracer", "float32[3]"),)
    failure = Failure("ValueError", (), message, (frame,), call_names=(names,))
    found = diagnose(failure, {"program.py": source}, LIBRARY)

    assert found is not None
    assert found.diagnosis.advice.startswith(says)


def test_a_key_for_numpy_is_answered_by_draws() -> None:
    """`np.random.seed(key)` does not use the key as numbers: the advice is how to draw."""
    source = "import numpy as np\ndef f(key):\n    np.random.seed(key)\n"
    frame = Frame("program.py", "f", Span(3, 4, 3, 23))
    names = (NameFact("key", "tracer", "key<fry>[]"),)
    said = "Encountered a key array where an array was expected"
    failure = Failure("TypeError", (), said, (frame,), tracer="key<fry>[]", call_names=(names,))
    found = diagnose(failure, {"program.py": source}, LIBRARY)

    assert found is not None
    assert "jax.random.normal(key, shape)" in found.diagnosis.advice


def test_a_line_that_needs_an_import_says_so() -> None:
    """A file without `jnp` learns which line it needs too."""
    module = read_module("program.py", "def f(x):\n    return x.exp()\n")
    assert module is not None
    call = next(iter(module.calls))
    frame = FrameContext(module, Frame("program.py", "f", module.span(call)), ())
    facts = describe_counterpart(LIBRARY["attribute-typo"], frame, frame.node)

    assert facts["instead"].endswith("Add `import jax.numpy as jnp` at the top of the file.")


def test_calls_of_pytorch_are_translated() -> None:
    """Of a file that imports PyTorch, each call gets the line that JAX has for it."""
    frame = frame_of("torch.cat([torch.sin(a), b], dim=0)")

    assert {
        "For `torch.sin(a)` write `jnp.sin(a)`.",
        "For `torch.cat([torch.sin(a), b], dim=0)` write "
        "`jnp.concatenate([torch.sin(a), b], axis=0)`.",
    } == {sentence for _, sentence in translations(frame, "torch", LIBRARY.counterparts)}


@each_row
def test_a_row_names_lessons_and_functions_that_exist(row: Equivalent) -> None:
    """The lesson of a row is in the course, and every name of JAX in its sentence exists."""
    import jax
    import jax.numpy as jnp

    lessons = {it.slug for it in load_course(None).every_lesson}
    assert not row.lesson or row.lesson in lessons
    for name in re.findall(r"\b(?:jax|jnp)(?:\.[a-z_]\w*)+", f"{row.jax} {row.says}"):
        attrgetter(name.partition(".")[2])({"jax": jax, "jnp": jnp}[name.partition(".")[0]])


@pytest.mark.parametrize("home", [*NAMES])
def test_names_of_jax_exist(home: str) -> None:
    """Nearly every name in the list of JAX's modules is in the installed version, new or old."""
    import importlib

    module = importlib.import_module(home)
    missing = {name for name in NAMES[home] if not hasattr(module, name)}
    assert len(missing) <= len(NAMES[home]) / 10, sorted(missing)


def test_the_same_name_takes_the_same_arguments() -> None:
    """A function of NumPy has no argument that JAX lacks, except what advice knows."""
    import jax.numpy as jnp
    import numpy as np

    known = {*counterparts._IGNORED, *counterparts._KEYWORDS}
    in_table = {name for row in ROWS for name in map(counterparts._name, row.typed)}
    wrong = {}
    for name in sorted(NAMES["jax.numpy"]):
        ours, theirs = getattr(jnp, name, None), getattr(np, name, None)
        if (
            name in OF_THE_HOST
            or f"numpy.{name}" in in_table
            or (not inspect.isroutine(theirs) and not isinstance(theirs, np.ufunc))
        ):
            continue
        try:
            lacks = parameters(theirs) - parameters(ours) - known
        except (TypeError, ValueError):  # NumPy does not say
            continue
        allowed = {"where", "dtype"} if name in counterparts.ELEMENTWISE else set()
        if lacks - allowed - RARE:
            wrong[name] = lacks - allowed
    assert {} == wrong


@pytest.mark.parametrize("name", GUIDES)
def test_the_page_in_the_documentation_is_that_of_explain(name: str) -> None:
    """The guide in `docs/` is written by `./dev index` from the table that `explain` draws."""
    assert guide_pages()[name].read_text(encoding="utf-8") == guide_document(name)


def test_explain_has_the_guides(capsys: pytest.CaptureFixture[str]) -> None:
    """`explain numpy` is the guide, although causes have the word in their names."""
    assert 0 == run(["explain", "numpy", "--plain"])
    shown = capsys.readouterr().out

    assert shown.startswith("Coming from NumPy")
    assert "x = x.at[i].set(v)" in shown


RARE = frozenset({"axes", "axis", "correction", "keepdims", "kind", "ndmax"})
"""Arguments of a few functions, which few people pass."""

OF_THE_HOST = frozenset({"einsum_path", "fromfile", "fromiter", "load", "set_printoptions"})
"""Functions that read files, or the like, and take no arrays."""


def parameters(function: object) -> set[str]:
    """Return the names of a function's arguments after the first, which people pass by position."""
    kinds = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    found = list(inspect.signature(function).parameters.values())  # type: ignore[arg-type]
    return {it.name for it in found[1:] if it.kind in kinds}
