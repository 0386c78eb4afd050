"""Tests the findings in programs that did not raise, made by reading them alone."""

from __future__ import annotations

from collections.abc import Mapping
from textwrap import dedent

import pytest

from jaxtutor.content.cause_pages import Library
from jaxtutor.core.data.observations import StaleAttribute, StaleGlobal, StaleItem, StaticFunction
from jaxtutor.core.data.positions import Frame, Span
from jaxtutor.core.diagnosis.editing.draft import Draft
from jaxtutor.core.diagnosis.engine import findings
from jaxtutor.core.diagnosis.engine.cells import displayed_place
from jaxtutor.core.diagnosis.engine.findings import find, find_all, find_endless
from jaxtutor.core.diagnosis.engine.propose import propose
from jaxtutor.core.diagnosis.engine.reported import Reported
from jaxtutor.core.diagnosis.engine.source import SessionTexts, read_modules, session_imports

HEAD = "import jax\nimport jax.numpy as jnp\n"


def read(source: str) -> list[tuple[str | None, str]]:
    """Give cause and expression of each finding that the source alone shows."""
    return [
        (d.diagnosis.cause, d.diagnosis.expression)
        for d in find((), {"f.py": HEAD + dedent(source)}, {})
    ]


def worth_a_look(source: str) -> list[tuple[str | None, str]]:
    """Give cause and expression of what the source alone shows, and need not be a mistake."""
    _, looks = find_all((), {"f.py": HEAD + dedent(source)}, {})
    return [(d.diagnosis.cause, d.diagnosis.expression) for d in looks]


def endless(source: str) -> list[str]:
    """Give the conditions at which a program that was stopped may have waited."""
    return [d.diagnosis.expression for d in find_endless({"f.py": HEAD + dedent(source)}, {})]


CALLS = """def apply(f, x): return f(x)

for i in range(5):
    apply({}, x)
"""


@pytest.mark.parametrize("passed", ["lambda x: x * 2", "scale"])
def test_a_new_function_for_a_static_argument_is_called_that(passed: str) -> None:
    """The words are those of a static argument, not those of `jax.jit` in a loop."""
    source = HEAD + CALLS.format(passed)
    frame = Frame("f.py", "<module>", Span(6, 4, 6, 14 + len(passed)))
    seen = StaticFunction("apply", 4, 5, "f", frame=frame)
    (found,) = find((seen,), {"f.py": source}, Library())
    said = f"Each call of `apply` gets a new function as its static argument `f`: `{passed}`."
    assert found.diagnosis.summary.startswith(said)


def test_what_one_test_allows_is_reported_in_the_next() -> None:
    """A text whose mistake was allowed is read again: another run may allow less."""
    session = findings.SessionFindings({})
    sources = {"wrong.py": HEAD + "x.at[0].set(1)\n"}
    assert () == session.find((), sources, lambda _: False)
    assert 1 == len(session.find((), sources))


def test_a_text_without_a_mistake_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a session, only new and changed texts are read, and those with a mistake."""
    reads: list[list[str]] = []

    def find_and_note(
        seen: object, sources: Mapping[str, str], causes: object, is_reported: findings.IsReported
    ) -> object:
        reads.append(sorted(sources))
        return find((), sources, {}, is_reported)

    monkeypatch.setattr(findings, "find", find_and_note)
    session = findings.SessionFindings({})
    sources = {"right.py": HEAD, "wrong.py": HEAD + "x.at[0].set(1)\n"}
    for _ in range(2):
        assert 1 == len(session.find((), sources))
    session.find((), {**sources, "right.py": HEAD + "y = 1\n"})
    assert [["right.py", "wrong.py"], ["wrong.py"], ["right.py", "wrong.py"]] == reads


def test_a_finding_is_reported_once() -> None:
    """The same mistake at the same place is not new a second time."""
    (found,) = find((), {"f.py": HEAD + "x.at[0].set(1)\n"}, {})
    reported = Reported()
    assert [True, False] == [reported.is_new(found.diagnosis) for _ in range(2)]


@pytest.mark.parametrize(
    ("cell", "place"), [("a\nb(c)", (2, 0)), ("a;", None), ("a = 1", None), ("(", None)]
)
def test_a_prompt_displays_the_last_expression(cell: str, place: tuple[int, int] | None) -> None:
    """The value of a last expression is displayed, unless a semicolon follows."""
    assert place == displayed_place(cell)


def test_cells_share_their_imports() -> None:
    """A name that another cell imports is known, and is not imported again."""
    cells = {"one": "from jax import numpy as np\n", "two": "y = np.where(m, a, b)\n"}
    modules = read_modules(SessionTexts(cells, {"two"}, session_imports(cells.values())))
    assert "jax.numpy.where" == modules["two"].dotted(modules["two"].calls[0].func)
    assert "np.sum" == Draft(modules["two"]).name("jax.numpy.sum")


def test_a_dropped_update_is_found() -> None:
    """An update that is a statement of its own is a finding at that call."""
    assert [("at-set-result-dropped", "x.at[0].set(1)")] == read("x = f()\nx.at[0].set(1)\n")


@pytest.mark.parametrize(
    "kept", ["y = x.at[0].set(1)", "x = x.at[0].add(1)", "print(x.at[0].get())", "s.set(1)"]
)
def test_a_kept_update_is_no_finding(kept: str) -> None:
    """An update whose result is used is right."""
    assert [] == read(f"x, s = f()\n{kept}\n")


@pytest.mark.parametrize("wrong", ["a < 2 & c", "x > 0 & x < 1", "m & a >= 3", "0 == a & b == c"])
def test_a_comparison_that_lost_its_operand_is_found(wrong: str) -> None:
    """`&` between comparisons without parentheses is a finding."""
    assert [("operator-precedence", wrong)] == read(f"r = {wrong}\n")


@pytest.mark.parametrize(
    "right", ["(a < b) & c", "n & 1 == 0", "a < (b & c)", "(a & b) > 0", "a & b", "a < b < c"]
)
def test_comparisons_that_are_meant_are_no_finding(right: str) -> None:
    """Parentheses, and the test of a bit, say that it is meant."""
    assert [] == read(f"r = {right}\n")


@pytest.mark.parametrize(
    "program",
    [
        "r = jnp.sum(a < b & c)",
        "a = jnp.ones(3)\nr = a < b & c",
        "r = a < b & c\nprint(jnp.sum(b))",
        "r = a < b & jnp.isnan(c)",
    ],
)
def test_names_that_are_arrays_lose_their_operand(program: str) -> None:
    """A name is an array if a function of JAX takes or returns it."""
    assert ["operator-precedence"] == [cause for cause, _ in read(f"{program}\n")]


def test_sets_may_be_compared_with_unions() -> None:
    """`a <= b | c` of sets is right, and nothing shows that these are arrays."""
    assert [] == read("def check(a, b, c):\n    x = jnp.ones(3)\n    return x, a <= b | c\n")


def test_leaves_beside_unsorted_keys_are_found() -> None:
    """Leaves come in sorted order; beside keys in written order they change places."""
    found = read("d = {'b': 1, 'a': 2}\nnew = dict(zip(d, jax.tree.leaves(d)))\n")
    assert [("dict-key-order", "zip(d, jax.tree.leaves(d))")] == found


def test_leaves_beside_sorted_keys_are_no_finding() -> None:
    """Where keys are written in order nothing goes wrong."""
    assert [] == read("d = {'a': 1, 'b': 2}\nnew = dict(zip(d, jax.tree.leaves(d)))\n")


def test_a_loop_that_waits_for_too_little_is_found() -> None:
    """A tolerance below the spacing of float32 explains a loop that never ended."""
    source = """
    TOL = 1e-10
    def cond(s):
        return abs(s[1] - s[0]) > TOL
    jax.lax.while_loop(cond, step, (0.0, 1.0))
    """
    assert ["abs(s[1] - s[0]) > TOL"] == endless(source)


@pytest.mark.parametrize(
    "source",
    [
        "while abs(d) > 1e-4:\n    d = d / 2\n",
        "jax.config.update('jax_enable_x64', True)\nwhile d > 1e-12:\n    d = g(d)\n",
        "while d > 1e-12:\n    d = g(d)\nwhile e > 1e-12:\n    e = g(e)\n",
    ],
)
def test_what_is_not_sure_is_not_reported(source: str) -> None:
    """A tolerance that float32 can meet, 64 bits, or two such loops get no finding."""
    assert [] == endless(source)


def test_a_finding_has_no_error_class() -> None:
    """A finding raised nothing."""
    assert [None] == [d.diagnosis.error_class for d in find((), {"f.py": "x.at[0].set(1)\n"}, {})]


# ---------------------------------------------------------------- training loops

LIBRARIES = "import optax\nimport equinox as eqx\nfrom flax import nnx\n"

DROPPED = (
    "optax.apply_updates(params, updates)",
    "state.apply_gradients(grads=grads)",
    "state.replace(step=state.step + 1)",
    "eqx.apply_updates(model, updates)",
    "eqx.tree_at(lambda m: m.w, model, jnp.zeros(3))",
    "jax.tree.map(lambda p, g: p - 0.1 * g, params, grads)",
    "jnp.append(xs, 3.0)",
    "jax.random.split(key)",
)


@pytest.mark.parametrize("call", DROPPED)
def test_a_dropped_result_of_a_pure_update_is_found(call: str) -> None:
    """A pure function called as a statement of its own is a finding at that call."""
    assert [("update-result-dropped", call)] == read(LIBRARIES + call + "\n")


@pytest.mark.parametrize(
    "kept",
    [
        "state = state.apply_gradients(grads=grads)",
        "os.replace('a', 'b')",
        "path.replace(target=q)",
        "frame.replace({1: 2}, inplace=True)",
        "frame.replace(to_replace=1, value=2)",
        "bar.update(1)",
        "optimizer.update(model, grads)",
        "optimizer.apply_gradients(zip(grads, variables))",
        "jax.tree.map(lambda x: print(x.shape), params)",
        "jax.tree.map(print, params)",
        "with pytest.raises(ValueError):\n    optax.apply_updates(params, updates)",
    ],
)
def test_a_call_with_an_effect_is_not_a_dropped_update(kept: str) -> None:
    """A method that changes its object, or a function that prints, may stand alone."""
    assert [] == read(LIBRARIES + kept + "\n")


LIMIT = """
def limit(tree, most):
    {}return jax.tree.map(lambda leaf: jnp.minimum(leaf, most), tree)

{}
"""


@pytest.mark.parametrize(
    ("effect", "call", "is_found"),
    [
        ("", "for x in xs:\n    g = slope(p, x)\n    limit(g, 1)\n    p = step(p, g)", True),
        ("", "@jax.jit\ndef f(p, g):\n    limit(g, 1)\n    return step(p, g)", True),
        ("print(most); ", "@jax.jit\ndef f(p, g):\n    limit(g, 1)\n    return step(p, g)", False),
        ("", "@jax.jit\ndef f(p, g):\n    g = limit(g, 1)\n    return step(p, g)", False),
        ("", "limit(g, 1)  # compiles it\np = step(p, limit(g, 1))", False),
        ("", "for x in xs:\n    limit(g, 1)\np = step(p, g)", False),
    ],
)
def test_a_changed_tree_that_is_dropped_is_found(effect: str, call: str, is_found: bool) -> None:
    """A function without effects changes nothing; a first run, which compiles, may stand alone."""
    found = read(LIBRARIES + LIMIT.format(effect, call))
    assert ([("update-result-dropped", "limit(g, 1)")] if is_found else []) == found


def test_a_class_with_its_own_replace_may_change_itself() -> None:
    """A method that the program defines may have an effect."""
    source = "class S:\n    def replace(self, x):\n        self.x = x\ns.replace(x=3)\n"
    assert [] == read(source)


STEP = """
tx = optax.adam(1e-3)
def step(params, opt_state, x):
    loss, g = jax.value_and_grad(f)(params, x)
    updates, new_state = tx.update(g, opt_state, params)
    return optax.apply_updates(params, updates), new_state, loss
"""


@pytest.mark.parametrize(
    ("loop", "statement"),
    [
        ("params, _, loss = step(params, opt_state, x)", "params, _, loss = step"),
        ("u, _ = tx.update(jax.grad(f)(p, x), s)\n    p = optax.apply_updates(p, u)", "u, _ = tx"),
        ("u, s = tx.update(f(p), s)\n    new = optax.apply_updates(p, u)", "new = optax"),
    ],
)
def test_a_state_that_a_loop_drops_is_found(loop: str, statement: str) -> None:
    """A state that goes into each round and does not come out again is a finding."""
    ((cause, text),) = read(f"import optax\n{STEP}for x in data:\n    {loop}\n")
    assert ("state-not-carried", True) == (cause, text.startswith(statement))


@pytest.mark.parametrize(
    "loop",
    [
        "params, opt_state, loss = step(params, opt_state, x)",
        "logits, _ = apply(params, stats, x)",
        "carry, _ = cell(carry, x)",
        "loss, _, _ = evaluate(params, opt_state, x)",
        "u, s = tx.update(f(p), s)\n    new = optax.apply_updates(p, u)\n    p = new",
        "u, s = tx.update(f(p), s)\n    new = optax.apply_updates(p, u)\n    print(f(new))",
    ],
)
def test_a_result_that_no_round_needs_may_be_dropped(loop: str) -> None:
    """Only a state that the loop hands on has to be kept."""
    assert [] == read(f"import optax\n{STEP}for x in data:\n    {loop}\n")


@pytest.mark.parametrize(
    "source",
    [
        """
        for x in data:
            s = tx.init(p)
            u, s = tx.update(jax.grad(f)(p, x), s)
            p = optax.apply_updates(p, u)
        """,
        """
        def step(p, x):
            s = tx.init(p)
            u, s = tx.update(jax.grad(f)(p, x), s)
            return optax.apply_updates(p, u)
        for x in data:
            p = step(p, x)
        """,
    ],
)
def test_an_optimizer_state_made_in_each_step_is_found(source: str) -> None:
    """An optimizer's first state belongs before the loop of the steps."""
    found = read("import optax\ntx = optax.adam(1e-3)\n" + dedent(source))
    assert [("optimizer-state-reset", "s = tx.init(p)")] == found


@pytest.mark.parametrize(
    "source",
    [
        """
        for rate in rates:
            p = start(key)
            s = tx.init(p)
            for x in data:
                u, s = tx.update(jax.grad(f)(p, x), s)
                p = optax.apply_updates(p, u)
        """,
        """
        def adapt(p, x):
            s = tx.init(p)
            u, s = tx.update(jax.grad(f)(p, x), s)
            return optax.apply_updates(p, u)
        for x in data:
            q = adapt(p, x)
            p = outer(p, q)
        """,
        """
        def fit(p, data):
            s = tx.init(p)
            (p, s), _ = jax.lax.scan(body, (p, s), data)
            return p
        for data in folds:
            p = fit(p, data)
        """,
        """
        for batch in data:
            total = jax.tree.map(jnp.zeros_like, params)
            for x in batch:
                total = add(total, grad(params, x))
            params = move(params, total)
        """,
    ],
)
def test_a_state_made_for_each_experiment_is_right(source: str) -> None:
    """A new experiment, an inner optimization and an accumulator start from zero."""
    assert [] == read("import optax\ntx = optax.adam(1e-3)\n" + dedent(source))


@pytest.mark.parametrize(
    "step",
    ["w = w - 0.1 * jax.grad(loss)(x, w)", "g = jax.grad(loss)(x, w)\n    w -= 0.1 * g"],
)
def test_a_gradient_of_the_data_is_found(step: str) -> None:
    """A gradient of argument 0 that moves another argument is a finding at the gradient."""
    assert [("grad-wrong-argnum", "jax.grad(loss)")] == read(f"for x in data:\n    {step}\n")


@pytest.mark.parametrize(
    "step",
    [
        "w = w - 0.1 * jax.grad(loss)(w, x)",
        "w = w - 0.1 * jax.grad(loss, argnums=1)(x, w)",
        "x = x - 0.1 * jax.grad(energy)(x, w)",
        "w = w - jax.grad(loss)(w, w)",
    ],
)
def test_a_gradient_of_what_moves_is_right(step: str) -> None:
    """A gradient of what it moves is right, whatever the names are."""
    assert [] == read(f"for x in data:\n    {step}\n")


@pytest.mark.parametrize(
    ("body", "change"),
    [
        ("params['w'] = params['w'] - g\n    return loss", "params['w'] = params['w'] - g"),
        ("params.w -= g\n    return loss", "params.w -= g"),
        ("opt.update(params, g)\n    return loss", "opt.update(params, g)"),
    ],
)
def test_a_change_that_jit_drops_is_found(body: str, change: str) -> None:
    """A compiled function that changes an argument and does not return it has no effect."""
    source = f"from flax import nnx\n@jax.jit\ndef step(params, opt, x):\n    {body}\n"
    assert [("changed-argument-lost", change)] == read(source)


@pytest.mark.parametrize(
    "source",
    [
        "@jax.jit\ndef step(params, x):\n    params['w'] = x\n    return params\n",
        "@jax.jit\ndef step(params, x):\n    params['w'] = x\n    return f(params)\n",
        "def step(params, x):\n    params['w'] = x\n    return x\n",
        "@jax.jit\ndef step(params, x):\n    out = params\n    params['w'] = x\n    return out\n",
        "@jax.jit\ndef step(d, x):\n    d = dict(d)\n    d['w'] = x\n    return x\n",
        "@jax.jit\ndef step(total, x):\n    total[...] = total[...] + x\n    return x\n",
        "@nnx.jit\ndef step(model, opt, g):\n    opt.update(model, g)\n    return 0\n",
        "@jax.jit\ndef step(d, x):\n    if x is None:\n        d['w'] = 0\n    return x\n",
    ],
)
def test_a_change_that_is_used_is_right(source: str) -> None:
    """A change that is returned, read, or made outside of `jax.jit` has an effect."""
    assert [] == read("from flax import nnx\n" + source)


# ---------------------------------------------------------------- what never ended


def stopped(source: str) -> list[tuple[str | None, str]]:
    """Give the cause and expression of why a program that was stopped did not end."""
    return [
        (d.diagnosis.cause, d.diagnosis.expression)
        for d in find_endless({"f.py": HEAD + dedent(source)}, {})
    ]


@pytest.mark.parametrize(
    ("source", "condition"),
    [
        (
            "def f(x, tol):\n    e = abs(x * x - 2)\n"
            "    return jax.lax.while_loop(lambda y: e > tol, lambda y: (y + 2 / y) / 2, x)\n",
            "e > tol",
        ),
        (
            "def go_on(c):\n    y, e = c\n    return e > 1e-3\n"
            "def step(c):\n    y, e = c\n    y = (y + 2 / y) / 2\n    return y, e\n"
            "jax.lax.while_loop(go_on, step, (1.0, 1.0))\n",
            "e > 1e-3",
        ),
        ("def f(x, e):\n    while e > 1e-3:\n        x = (x + 2 / x) / 2\n", "e > 1e-3"),
    ],
)
def test_a_condition_that_never_changes_is_named(source: str, condition: str) -> None:
    """A loop whose condition reads nothing that the loop changes is why a program did not end."""
    assert [("loop-condition-constant", condition)] == stopped(source)


@pytest.mark.parametrize(
    "source",
    [
        "def f(x):\n    return jax.lax.while_loop(lambda y: y > 1e-3, lambda y: y / 2, x)\n",
        "def f(x):\n"
        "    return jax.lax.while_loop(lambda c: c[1] > 0, lambda c: (c[0], c[1] - 1), x)\n",
        "def go_on(c):\n    y, n = c\n    return n > 0\n"
        "def step(c):\n    y, n = c\n    n = n - 1\n    return y, n\n"
        "jax.lax.while_loop(go_on, step, (1.0, 9))\n",
        "def f(x, e):\n    while e > 1e-3:\n        x = x / 2\n        e = abs(x)\n",
        "def f(q, n):\n    while n > len(q):\n        q.append(n)\n",
        "def f(q):\n    while q:\n        q.pop()\n",
        "def f(x, e):\n    while e > 1e-3:\n        if x < 1:\n            break\n"
        "        x = x / 2\n",
    ],
)
def test_a_condition_that_may_change_is_not_named(source: str) -> None:
    """A loop that can end is not said to be endless."""
    assert [] == stopped(source)


def test_a_long_loop_in_a_traced_function_is_named() -> None:
    """Where time ran out, the only Python loop of many rounds in a compiled function is named."""
    source = (
        "@jax.jit\ndef f(x):\n    for i in range(20_000):\n        x = jnp.sin(x)\n    return x\n"
    )
    assert [("unrolled-loop", "for i in range(20_000):")] == stopped(source)


@pytest.mark.parametrize(
    "source",
    [
        "@jax.jit\ndef f(x):\n    for i in range(3):\n        x = jnp.sin(x)\n    return x\n",
        "def f(x):\n    for i in range(20_000):\n        x = jnp.sin(x)\n    return x\n",
    ],
)
def test_a_loop_that_is_not_unrolled_or_short_is_not_named(source: str) -> None:
    """A short loop, and one outside a compiled function, are not said to be why it took long."""
    assert [] == stopped(source)


HAIKU = "import haiku as hk\nf = hk.transform_with_state(net)\n"


@pytest.mark.parametrize(
    "call",
    [
        "f.apply(params, state, key, x, True)",
        "f.apply(params, state, None, x, is_training=True)",
        "net.apply(state, x, True, mutable=['batch_stats'])",
        "net.apply({'params': params, 'batch_stats': state}, x, mutable='batch_stats')",
    ],
)
def test_statistics_that_are_thrown_away_are_found(call: str) -> None:
    """The new statistics of a training step have to go into the next step."""
    found = read(f"{HAIKU}for x in batches:\n    out, _ = {call}\n")
    assert [("state-not-carried", f"out, _ = {call}")] == found


@pytest.mark.parametrize(
    "source",
    [
        "for x in batches:\n    out, _ = f.apply(params, state, None, x, False)\n",
        "for x in batches:\n    out, _ = f.apply(params, state, None, x, is_training=False)\n",
        "for x in batches:\n    out, state = f.apply(params, state, None, x, True)\n",
        "out, _ = f.apply(params, state, None, x, True)\n",
        "for x in batches:\n    out, _ = net.apply(state, x, mutable=['intermediates'])\n",
        "for x in xs:\n    out, _ = net.apply(v, x, mutable=['batch_stats'])\n    v = new(v)\n",
    ],
)
def test_statistics_that_are_not_needed_are_no_finding(source: str) -> None:
    """An evaluation does not keep statistics, and a state may be assigned in another way."""
    assert [] == read(HAIKU + source)


@pytest.mark.parametrize(
    "source",
    [
        "def f(scale, x):\n    return scale, scale * x\njax.lax.scan(f, 2.0, xs)\n",
        "jax.lax.scan(lambda c, x: (c, c + x), 0.0, xs)\n",
        "def f(table, i):\n    return table, table[i]\njax.lax.scan(f, jnp.ones(3), xs)\n",
    ],
)
def test_a_setting_in_the_carry_is_no_finding(source: str) -> None:
    """What all rounds share may be passed as the carry."""
    assert [] == read("import jax\nimport jax.numpy as jnp\n" + source)


TIMED = "import time\nfast = jax.jit(f)\nfast(x)\n"


@pytest.mark.parametrize(
    ("source", "difference"),
    [
        ("t = time.time()\ny = fast(x)\nprint(time.time() - t)\n", "time.time() - t"),
        ("t = time.time()\ny = fast(x)\nend = time.time()\nprint(end - t)\n", "end - t"),
        (
            "t = time.time()\nfor n in range(9):\n    fast(x)\ns = time.time() - t\n",
            "time.time() - t",
        ),
        ("t = time.time()\nys = [fast(x) for x in xs]\ns = time.time() - t\n", "time.time() - t"),
        (
            "def run(g, x):\n    t = time.time()\n    for _ in range(9):\n        g(x)\n"
            "    return time.time() - t\nrun(fast, x)\n",
            "time.time() - t",
        ),
        (
            "def run(g, x):\n    times = []\n    for _ in range(9):\n        t = time.time()\n"
            "        y = g(x)\n        times.append(time.time() - t)\n    return times, y\n"
            "for name, g in [('fast', fast), ('f', f)]:\n    print(name, run(g, x))\n",
            "time.time() - t",
        ),
    ],
)
def test_a_time_that_does_not_wait_is_found(source: str, difference: str) -> None:
    """A clock that is read after compiled calls only has not measured them."""
    assert [("timed-before-finished", difference)] == read(TIMED + source)


@pytest.mark.parametrize(
    "between",
    [
        "y = fast(x).block_until_ready()",
        "y = jax.block_until_ready(fast(x))",
        "y = fast(x)\nprint(y)",
        "y = fast(x)\ntext = f'{y}'",
        "y = fast(x)\nif y > 0:\n    n = 1",
        "for _ in range(9):\n    x = fast(x)",
        "y = fast(x)\nfor part in y:\n    fast(x)",
        "y = slow(x)",
        "y = other.fast(x)",
        "for _ in range(9):\n    fast(next(batches))",
    ],
)
def test_a_time_that_may_wait_is_no_finding(between: str) -> None:
    """Another call may wait, a step that needs the one before does, and other functions as well."""
    assert [] == read(f"{TIMED}t = time.time()\n{between}\nprint(time.time() - t)\n")


def test_the_time_of_a_first_call_is_that_of_the_compiler() -> None:
    """Python waits for the compiler, so the time of a first call says something."""
    source = "import time\nfast = jax.jit(f)\nt = time.time()\nfast(x)\nprint(time.time() - t)\n"
    assert [] == read(source)


OPTAX = """
import optax
tx = optax.adam(0.1)
grads = jax.grad(loss)(params)
updates, state = tx.update(grads, state)
"""


@pytest.mark.parametrize(
    "step",
    [
        "params = optax.apply_updates(params, updates)",
        "params = jax.tree.map(lambda p, u: p + u, params, updates)",
        "params = jax.tree.map(lambda p, g: p - 0.1 * g, params, grads)",
        "params = jax.tree.map(lambda p, u: p - (-u), params, updates)",
        "grads = jax.tree.map(lambda g: -g, grads)\nparams = optax.apply_updates(params, grads)",
    ],
)
def test_a_step_down_is_no_finding(step: str) -> None:
    """Updates are added, gradients subtracted; a gradient that was turned may be added."""
    assert [] == read(OPTAX + step + "\n")


def test_a_transformation_without_a_sign_may_be_subtracted() -> None:
    """`optax.scale_by_adam` does not turn the gradient, so its updates are subtracted."""
    source = OPTAX.replace("optax.adam(0.1)", "optax.chain(optax.scale_by_adam())")
    assert [] == read(source + "params = jax.tree.map(lambda p, u: p - u, params, updates)\n")


@pytest.mark.parametrize("end", ["x", "jax.nn.log_softmax(x)", "jax.nn.softmax(x), x"])
def test_logits_are_no_finding(end: str) -> None:
    """A model that returns logits, or the logarithm of probabilities, suits the loss."""
    source = f"""
    import flax.linen as nn
    import optax
    class Net(nn.Module):
        def __call__(self, x):
            return {end}
    def loss(params, x, y):
        scores = Net().apply(params, x)
        return optax.softmax_cross_entropy(scores, y)
    """
    assert [] == read(source)


SHUFFLES = "a, b = jax.random.split(key)\n"


@pytest.mark.parametrize(
    "source",
    [
        SHUFFLES + "x = jax.random.permutation(a, x)\ny = jax.random.permutation(a, y)\n",
        SHUFFLES
        + "cats = jax.random.permutation(a, cats)\ndogs = jax.random.permutation(b, dogs)\n",
        "order = rng.permutation(len(x))\nx = x[order]\ny = y[order]\n",
        "rng.set_state(s)\nrng.shuffle(x)\nrng.set_state(s)\nrng.shuffle(y)\n",
        "y = rng.permutation(y)\n",
    ],
)
def test_a_shuffle_that_keeps_pairs_is_right(source: str) -> None:
    """One order for both arrays is right, and so are two for arrays that do not belong together."""
    assert [] == read(source)


@pytest.mark.parametrize(
    "source",
    [
        "w = jax.nn.softmax(jnp.where(mask, scores, -1e9))\n",
        "w = jax.nn.softmax(scores + mask * -1e9)\n",
        "w = jax.nn.softmax(mask * -1e9)\n",
        "w = jax.nn.softmax(scores * mask) * mask\nw = w / w.sum()\n",
        "w = jax.nn.softmax(scores * scale)\n",
        "scores = scores * mask\nw = jax.nn.softmax(scores)\nw = jnp.where(mask, w, 0)\n",
    ],
)
def test_scores_that_are_masked_otherwise_are_right(source: str) -> None:
    """A mask that is added, chosen by, or used on the weights again leaves nothing behind."""
    assert [] == read("mask = tokens > 0\n" + source)


@pytest.mark.parametrize(
    "made",
    [
        "tokens > 0",
        "(tokens != 0).astype(jnp.float32)[:, None]",
        "jnp.tril(jnp.ones((4, 4)))",
        "jnp.array([1.0, 1.0, 0.0])",
        "~jnp.isnan(x)",
        "jnp.where(lengths > 3, 1.0, 0.0)",
        "jnp.ones((4, 4), dtype=bool)",
    ],
)
def test_a_mask_is_what_holds_truth_values(made: str) -> None:
    """What makes a factor says that it is a mask, whatever it is called."""
    found = read(f"def f(scores, kept):\n    return jax.nn.softmax(scores * kept)\nf(s, {made})\n")
    assert ["mask-times-scores"] == [cause for cause, _ in found]


@pytest.mark.parametrize("made", ["x", "jnp.tril(x)", "jnp.array([1.0, 0.5])", "x is None", "2.0"])
def test_a_factor_that_holds_numbers_is_no_mask(made: str) -> None:
    """A name does not make numbers a mask: they may be a temperature for each head."""
    assert [] == read(
        f"def f(scores, mask):\n    return jax.nn.softmax(scores * mask)\nf(s, {made})\n"
    )


@pytest.mark.parametrize(
    "steps",
    [
        "shuffle(seed=0).batch(4)",
        "shuffle(seed=0).repeat(2).batch(4)",
        "batch(4).shuffle(seed=0).map(f).batch(2)",
        "shuffle(seed=0).batch(4).shuffle(seed=1)",
        "repeat(2).batch(4)",
    ],
)
def test_a_pipeline_that_shuffles_rows_is_right(steps: str) -> None:
    """Rows are shuffled before they are batched, unless the first batches are windows."""
    assert [] == read(f"import grain\nd = grain.MapDataset.source(rows).{steps}\n")


NNX = """
from flax import nnx
class Layer(nnx.Module):
    def __init__(self):
        {made}
    def __call__(self, x):
        return {used}
layer = Layer()
opt = nnx.Optimizer(layer, tx, wrt=nnx.Param)
{after}
"""


@pytest.mark.parametrize(
    ("made", "used", "after"),
    [
        ("self.shift = nnx.Param(jnp.zeros(3))", "x + self.shift", ""),
        ("self.start = jnp.zeros(3)", "cell(self.start, x)", ""),
        ("self.running_mean = jnp.zeros(3)", "x - self.running_mean", ""),
        ("self.shift = jnp.zeros(3)", "x + self.shift", "layer.shift = mean"),
        ("self.count = jnp.zeros((), jnp.int32)", "x + self.count", ""),
        ("self.scale = jnp.array(0.5)", "x * self.scale", ""),
        ("self.w = nnx.Param(w)", "x @ self.w", "old = nnx.clone(layer)\nf(layer, old)"),
        ("self.w = nnx.Param(w)", "x @ self.w", "net = layer\nf(net)"),
        ("self.b = jnp.zeros(3)", "x + self.b", "g = nnx.grad(f, nnx.DiffState(0, is_weight))"),
        ("self.b = jnp.zeros(3)", "x + self.b", "opt = nnx.Optimizer(layer, tx, wrt=is_weight)"),
    ],
)
def test_a_constant_or_a_copy_in_nnx_is_right(made: str, used: str, after: str) -> None:
    """Arrays that are constants or statistics do not count as parameters, and a clone is a copy."""
    assert [] == read(NNX.format(made=made, used=used, after=after))


LOSS = """
import optax
tx = optax.adam(0.1)
def f(w, x, labels):
    logs = jax.nn.log_softmax(x @ w)
    return {loss}
grads = jax.grad(f)(w, x, labels)
"""


@pytest.mark.parametrize(
    "loss",
    [
        "-jnp.mean(jnp.take_along_axis(logs, labels[:, None], 1))",
        "jnp.mean(jnp.exp(logs) * logs)",
        "jnp.mean(weigh(x) * logs)",
    ],
)
def test_a_loss_that_should_fall_is_right(loss: str) -> None:
    """A negative log-likelihood and a negative entropy are losses."""
    assert [] == read(LOSS.format(loss=loss))


MODEL = """
import numpyro
from numpyro.infer import MCMC, NUTS
def model(x, y=None):
    mean = numpyro.sample("mean", prior)
    {site}
mcmc = MCMC(NUTS(model))
mcmc.run(key, x, {given})
"""


@pytest.mark.parametrize(
    ("site", "given"),
    [
        ("numpyro.sample('y', likelihood(mean, x), obs=y)", "y"),
        ("numpyro.factor('y', likelihood(mean, x).log_prob(y))", "y"),
        ("numpyro.sample('y', likelihood(mean, x))", "None"),
        ("return helper(mean, x)", "None"),
    ],
)
def test_a_model_that_observes_its_data_is_right(site: str, given: str) -> None:
    """A model observes its data by `obs=` or by a factor, or gets none."""
    assert [] == read(MODEL.format(site=site, given=given))


SCAN = """
def run(w, xs):
    {size}
    def step(h, x):
        return h + x @ w, None
    return jax.lax.scan(step, jnp.zeros(({rows}, 3)), xs)
"""


@pytest.mark.parametrize(
    ("size", "rows"),
    [
        ("steps, batch, _ = xs.shape", "batch"),
        ("batch = xs.shape[0]\n    xs = jnp.swapaxes(xs, 0, 1)", "batch"),
        ("n = xs.shape[0]", "n"),
        ("batch = xs.shape[1]", "batch"),
    ],
)
def test_a_scan_over_the_time_is_right(size: str, rows: str) -> None:
    """A carry for the second axis, or for arrays whose axes were swapped, is right."""
    assert [] == read(SCAN.format(size=size, rows=rows))


EQUINOX = """
import equinox as eqx
class Net(eqx.Module):
    drop: eqx.nn.Dropout
    def __init__(self):
        self.drop = eqx.nn.Dropout(0.5)
def loss(net, x):
    return net(x)
grads = eqx.filter_grad(loss)(net, x)
"""


@pytest.mark.parametrize(
    "source",
    [
        "def evaluate(net, x):\n    return loss(net, x)\nevaluate(eqx.nn.inference_mode(net), x)\n",
        "def evaluate(data, net):\n    return loss(net, data)\ndef f(d):\n    evaluate(d, n)\n",
        "def sample(net, x):\n    return net(x)\nnet = Net()\nsample(net, x)\n",
        "def evaluate_mc(net, x):\n    return net(x)\nnet = Net()\nevaluate_mc(net, x)\n",
    ],
)
def test_an_evaluation_without_dropout_is_right(source: str) -> None:
    """A model that was switched to inference, or that is sampled from, is right."""
    assert [] == read(EQUINOX + source)


def test_an_evaluation_with_dropout_is_found() -> None:
    """A model that nothing switches to inference is worth a look: the name says evaluation."""
    source = "def evaluate(net, x):\n    return loss(net, x)\nnet = Net()\nevaluate(net, x)\n"
    assert [("training-mode-in-evaluation", "evaluate(net, x)")] == worth_a_look(EQUINOX + source)
    assert [] == read(EQUINOX + source)


@pytest.mark.parametrize(
    "average",
    [
        "ema = jax.tree.map(lambda e, p: decay * e + (1 - decay) * p, ema, params)",
        "target = jax.tree.map(lambda t, p: (1 - 0.005) * t + 0.005 * p, target, params)",
        "params = jax.tree.map(lambda e, p: decay * p + (1 - decay) * e, ema, params)",
        "avg = 0.9 * avg + 0.1 * loss",
        "smooth = 0.01 * smooth + 0.99 * loss",
        "target = 0.01 * target + 0.99 * labels",
        "target = optax.incremental_update(params, target, 0.005)",
        "target = optax.incremental_update(params, target, 1.0)",
        "average = 0.01 * average + 0.5 * loss",
    ],
)
def test_an_average_that_moves_slowly_is_right(average: str) -> None:
    """An average keeps most of its past; a copy, and a mixture of other values, are none."""
    assert [] == read(f"import optax\ndecay = 0.999\nfor x in xs:\n    {average}\n")


@pytest.mark.parametrize(
    "average",
    [
        "ema = jax.tree.map(lambda e, p: decay * p + (1 - decay) * e, ema, params)",
        "target = jax.tree_util.tree_map(lambda p, t: 0.99 * p + 0.01 * t, params, target)",
        "target = optax.incremental_update(params, target, decay)",
        "target = optax.incremental_update(target, params, step_size=1 - decay)",
    ],
)
def test_an_average_that_forgets_its_past_is_found(average: str) -> None:
    """The weight of the old value decides, whatever it is called."""
    found = read(f"import optax\ndecay = 0.999\nfor x in xs:\n    {average}\n")
    assert ["average-weights-swapped"] == [cause for cause, _ in found]


def test_a_cause_that_takes_time_only_says_so() -> None:
    """The page says which findings leave the results right."""
    costs = {slug for slug, cause in Library().items() if cause.costs}
    assert {"unrolled-loop", "value-read-each-round"} <= costs
    assert not {"prng-key-reuse", "stale-global", "addition-lost"} & costs


def test_a_number_that_only_its_name_calls_an_average_is_worth_a_look() -> None:
    """A mixture of two numbers may be anything."""
    source = "import optax\nfor x in xs:\n    ema_loss = 0.01 * ema_loss + 0.99 * loss\n"
    assert ["average-weights-swapped"] == [cause for cause, _ in worth_a_look(source)]
    assert [] == read(source)


@pytest.mark.parametrize(
    "made",
    [
        "optax.adam(schedule)",
        "optax.adam(optax.constant_schedule(0.1)(0))",
        "optax.adam(schedule(step))",
        "optax.inject_hyperparams(optax.adam)(learning_rate=schedule(0))",
        "optax.adam(other(0))",
    ],
)
def test_a_rate_that_is_meant_is_right(made: str) -> None:
    """A schedule, a number for each round, and a rate that is set later are right."""
    assert [] == read(
        f"import optax\nschedule = optax.cosine_decay_schedule(1.0, 9)\ntx = {made}\n"
    )


STATE = """
import optax
from flax.training.train_state import TrainState
params = net.init(key, x)
state = TrainState.create(apply_fn=net.apply, params=params, tx=optax.adam(0.1))
def measure(state, x):
    {body}
for _ in range(9):
    state = step(state)
    print(measure({given}, x))
"""


@pytest.mark.parametrize(
    ("body", "given"),
    [
        ("return net.apply(state.params, x)", "state"),
        ("return net.apply(params, x)", "other"),
        ("return net.apply(state.params, x) - net.apply(params, x)", "state"),
        ("params = state.best\n    return net.apply(params, x)", "state"),
    ],
)
def test_a_function_that_uses_the_state_it_gets_is_right(body: str, given: str) -> None:
    """The first parameters may be compared with, or belong to another state."""
    assert [] == read(STATE.format(body=body, given=given))


NORMALIZED = """
import flax.linen as nn
net = Net()
variables = net.init(key, x, False)
def loss(p):
    {call}
    return jnp.mean(y ** 2)
grads = jax.grad(loss)(variables["params"])
{after}
"""
LOST_CALL = (
    "y, _ = net.apply({'params': p, 'batch_stats': stats}, x, True, mutable=['batch_stats'])"
)


@pytest.mark.parametrize(
    ("call", "after"),
    [
        (LOST_CALL, ""),
        (LOST_CALL, "stats = net.restore(path)\ny = net.apply(variables, x, False)"),
        (
            LOST_CALL,
            "y, new = net.apply(variables, x, True, mutable=['batch_stats'])\n"
            "print(new, net.apply(variables, x, False))",
        ),
        ("y = net.apply({'params': p}, x, True)", "y = net.apply(variables, x, False)"),
    ],
)
def test_statistics_that_are_kept_or_not_needed_are_right(call: str, after: str) -> None:
    """Statistics may be updated by another call, come from a file, or never be used."""
    assert [] == read(NORMALIZED.format(call=call, after=after))


def test_statistics_that_no_call_keeps_are_found() -> None:
    """An evaluation reads the statistics, and every training call drops the new ones."""
    after = "y = net.apply(variables, x, False)"
    found = read(NORMALIZED.format(call=LOST_CALL, after=after))
    assert ["state-not-carried"] == [cause for cause, _ in found]


PADDED = """
PAD_ID = 0
def loss(w, tokens, lengths):
    losses = f(w, tokens)
    mask = {mask}
    return {value}
"""


@pytest.mark.parametrize(
    ("mask", "value"),
    [
        ("tokens != 0", "(losses * mask).sum() / mask.sum()"),
        ("tokens != 0", "(losses * mask).mean() / mask.mean()"),
        ("tokens != 0", "jnp.mean(losses, where=mask)"),
        ("tokens != 1", "jnp.mean(losses * mask)"),
        ("tokens > 0", "jnp.mean(losses * mask)"),
        ("weights(tokens)", "jnp.mean(losses * mask)"),
        ("tokens != 0", "jnp.mean(losses * mask, axis=0)"),
    ],
)
def test_a_mean_of_what_a_mask_keeps_is_right(mask: str, value: str) -> None:
    """The mask is counted, chooses, or stands for something else than padding."""
    assert [] == read(PADDED.format(mask=mask, value=value))


@pytest.mark.parametrize(
    "mask",
    [
        "(tokens != PAD_ID).astype(jnp.float32)",
        "tokens != -100",
        "jnp.arange(tokens.shape[1])[None] < lengths[:, None]",
    ],
)
@pytest.mark.parametrize("value", ["jnp.mean(losses * mask)", "(mask * losses).mean(), losses"])
def test_a_mean_that_counts_the_padding_is_found(mask: str, value: str) -> None:
    """The mask removes the padding from the sum, and the mean divides by all positions."""
    found = read(PADDED.format(mask=mask, value=value))
    assert ["mean-over-padding"] == [cause for cause, _ in found]


FALLING = """
from settings import WORLD
import settings
@jax.jit
def fall(y):
    return y - WORLD["g"] * settings.DT
"""
TO_MOON = "WORLD['g'] = 1.6\n"


@pytest.mark.parametrize(
    ("main", "is_found"),
    [
        (f"fall(1.0)\n{TO_MOON}fall(1.0)\n", True),
        (
            f"def drop(y):\n    return fall(y)\nfor g in (9.8, 1.6):\n    {TO_MOON}    drop(1.0)\n",
            True,
        ),
        (f"def run():\n    fall(1.0)\n    {TO_MOON}    fall(1.0)\n", True),
        (f"fall(1.0)\n{TO_MOON}", False),
        (f"def reset():\n    {TO_MOON}fall(1.0)\nreset()\n", False),
        (f"fall(1.0)\n{TO_MOON}jax.clear_caches()\nfall(1.0)\n", False),
        ("fall(1.0)\nOTHER['g'] = 1.6\nfall(1.0)\n", False),
    ],
)
def test_a_setting_that_another_file_changes_is_found(main: str, is_found: bool) -> None:
    """A compiled function keeps what it read, if it runs again below the change."""
    files = {"falling.py": HEAD + FALLING, "main.py": f"{HEAD}from falling import fall\n{main}"}
    line = files["falling.py"].splitlines().index("def fall(y):") + 1
    frame = Frame("falling.py", "fall", Span(line, 0, line, 12))
    for is_renewed in (False, True):
        found = [
            d.diagnosis.cause for d in find([StaleItem("g", is_renewed, frame=frame)], files, {})
        ]
        assert (["stale-global"] if is_found and not is_renewed else []) == found


def test_an_attribute_that_another_file_changes_is_found() -> None:
    """An attribute of a module of settings counts like an entry of a dict."""
    main = "import settings\nfrom falling import fall\nfall(1.0)\nsettings.DT = 0.1\nfall(1.0)\n"
    files = {"falling.py": HEAD + FALLING, "main.py": HEAD + main}
    line = files["falling.py"].splitlines().index("def fall(y):") + 1
    seen = StaleAttribute("DT", frame=Frame("falling.py", "fall", Span(line, 0, line, 12)))
    assert ["stale-global"] == [d.diagnosis.cause for d in find([seen], files, {})]


def test_only_the_variable_that_changed_is_passed_in() -> None:
    """Of the variables in a statement of a compiled function, the fix passes the stale one."""
    source = (
        "x = jnp.ones(3)\nrate = 1.0\n\n@jax.jit\ndef f():\n    return rate * x\n\n"
        "f()\nrate = 2.0\nf()\n"
    )
    seen = StaleGlobal("rate", frame=Frame("f.py", "f", Span(7, 0, 7, 8)))
    (found,) = find([seen], {"f.py": HEAD + source}, {})
    edits = [{edit.text for edit in patch.edits} for patch in propose(found)]
    assert ("stale-global", [{"rate"}]) == (found.diagnosis.cause, edits)


@pytest.mark.parametrize(
    ("name", "value", "is_found"),
    [
        ("ridge", "jnp.mean((x @ w - 1) ** 2)", True),
        ("variance_of_mean", "jnp.mean((x @ w - 1) ** 2)", False),
        ("f", "jnp.mean((x - x.mean()) ** 2)", False),
    ],
)
def test_a_mean_that_is_divided_again_is_found_in_a_loss(
    name: str, value: str, is_found: bool
) -> None:
    """A function that is differentiated is a loss, unless it estimates a spread."""
    source = f"@jax.grad\ndef {name}(w, x):\n    return {value} / x.shape[0]\n"
    assert (["mean-divided-again"] if is_found else []) == [cause for cause, _ in read(source)]


@pytest.mark.parametrize(
    ("padding", "is_found"),
    [("PAD = 0", True), ("PAD = 7", False), ("from other import PAD", False)],
)
def test_padding_is_a_number_that_the_file_shows(padding: str, is_found: bool) -> None:
    """A name is followed to its number. The number of an imported name is not known."""
    source = f"{padding}\n" + PADDED.format(mask="tokens != PAD", value="jnp.mean(losses * mask)")
    assert (["mean-over-padding"] if is_found else []) == [cause for cause, _ in read(source)]
