"""Tests the findings in training programs that raise nothing, and their right neighbours."""

from __future__ import annotations

from textwrap import dedent

import pytest

from jaxtutor.core.diagnosis.engine.findings import find

HEAD = """
import diffrax
import equinox as eqx
import flax.linen as nn
import jax
import jax.numpy as jnp
import optax
"""


def read(source: str) -> list[str | None]:
    """Return the causes that a program shows by itself."""
    return [d.diagnosis.cause for d in find((), {"f.py": HEAD + dedent(source)}, {})]


@pytest.mark.parametrize(
    "made",
    [
        "tx = optax.chain(optax.masked(optax.adam(0.1), m), optax.masked(optax.set_to_zero(), n))",
        "tx = optax.chain(optax.masked(optax.adam(0.1), m), optax.masked(optax.sgd(0.1), n))",
        "tx = optax.masked(optax.add_decayed_weights(0.1), m)",
        "tx = optax.chain(optax.masked(optax.adam(0.1), m), freeze_others())",
        "g = jax.tree.map(jnp.multiply, g, m)\ntx = optax.masked(optax.adam(0.1), m)",
        "tx = optax.adamw(0.1, mask=m)",
    ],
)
def test_weights_that_are_frozen_otherwise_are_right(made: str) -> None:
    """A masked part of a chain, and a mask that the gradients get as well, are right."""
    assert [] == read(made)


@pytest.mark.parametrize(
    "call",
    [
        "nn.Dropout(0.1)(x, deterministic=not train)",
        "nn.Dropout(0.1)(x, deterministic=deterministic)",
        "nn.BatchNorm(use_running_average=eval_mode)(x)",
        "MyLayer()(x, deterministic=train)",
        "nn.Dropout(0.1)(x, train)",
    ],
)
def test_a_flag_of_the_same_sense_is_right(call: str) -> None:
    """Only a layer of a library that gets a flag of the opposite sense is a finding."""
    expected = ["mode-flag-inverted"] if call.endswith("(x, train)") else []
    assert expected == read(f"def f(x, train, deterministic, eval_mode):\n    return {call}\n")


def test_a_flag_that_is_negated_twice_is_right() -> None:
    """A class that negates the flag itself may get the other one."""
    source = """
    def f(x, train, deterministic):
        y = nn.Dropout(0.1)(x, deterministic=train)
        return g(y, train=not deterministic)
    """
    assert [] == read(source)


@pytest.mark.parametrize(
    "body",
    [
        "return jnp.mean(jnp.argmax(scores, -1) == labels)",
        "return jnp.argmax(scores) == label",
        "return jnp.mean(jnp.argmax(jnp.bincount(labels)) == labels)",
        "best = jnp.argmax(count(labels))\n    return jnp.mean(best == labels)",
        "return jnp.sum(jnp.argmax(scores) == jnp.argmax(labels))",
    ],
)
def test_an_argmax_of_one_example_or_a_vote_is_right(body: str) -> None:
    """One example, an axis, and the majority of what it is compared with are right."""
    assert [] == read(f"def f(scores, labels, label):\n    {body}\n")


CAUSAL = """
def f(model, tokens, hidden):
    mask = jnp.tril(jnp.ones((4, 4)))
    logits = {logits}
    return optax.softmax_cross_entropy_with_integer_labels({given}, {labels}).mean()
"""


@pytest.mark.parametrize(
    ("logits", "given", "labels"),
    [
        ("model(tokens[:, :-1], mask)", "logits", "tokens[:, 1:]"),
        ("model(shift_right(tokens), mask)", "logits", "tokens"),
        ("model(hidden, mask)", "logits", "tokens"),
        ("jnp.roll(model(tokens, mask), 1, 1)", "logits", "tokens"),
    ],
)
def test_labels_that_are_shifted_or_hidden_are_right(logits: str, given: str, labels: str) -> None:
    """A shift anywhere, or an input that hides tokens, is right."""
    assert [] == read(CAUSAL.format(logits=logits, given=given, labels=labels))


def test_labels_that_the_model_gets_are_found() -> None:
    """A causal model with its own input as labels is a finding."""
    source = CAUSAL.format(logits="model(tokens, mask)", given="logits", labels="tokens")
    assert ["labels-are-inputs"] == read(source)


@pytest.mark.parametrize(
    "beside",
    ["losses = []\nlosses.append(1.0)\n", "names.insert(0, 'a')\n", "wallpad = 1\n"],
)
def test_a_word_that_moves_no_tokens_does_not_hide_labels(beside: str) -> None:
    """A list that grows, and a part of another word, do not shift tokens."""
    source = CAUSAL.format(logits="model(tokens, mask)", given="logits", labels="tokens")
    assert ["labels-are-inputs"] == read(beside + source)


@pytest.mark.parametrize("mask", ["jnp.ones((4, 4))", "causal(4)"])
def test_a_mask_that_is_not_known_to_be_causal_shows_nothing(mask: str) -> None:
    """Labels may be the inputs of a model that sees all positions, such as an autoencoder."""
    source = CAUSAL.format(logits="model(tokens, mask)", given="logits", labels="tokens")
    assert [] == read(source.replace("jnp.tril(jnp.ones((4, 4)))", mask))


TARGET = """
@jax.grad
def loss(params, frozen, b):
    q = net(params, b["obs"])[0]
    best = {best}
    target = b["reward"] + 0.9 * best
    return {loss}
"""


@pytest.mark.parametrize(
    ("best", "loss"),
    [
        ("net(frozen, b['next']).max(-1)", "(q - target) ** 2"),
        ("jax.lax.stop_gradient(net(params, b['next']).max(-1))", "(q - target) ** 2"),
        ("net(params, b['next']).max(-1)", "q + target"),
        ("net(params, b['next']).mean(-1)", "(q - target) ** 2"),
        ("jnp.max(b['next'])", "(q - target) ** 2"),
    ],
)
def test_a_target_without_gradient_is_right(best: str, loss: str) -> None:
    """A copy of the network, a stopped gradient and other losses are right."""
    assert [] == read(TARGET.format(best=best, loss=loss))


@pytest.mark.parametrize(
    "source",
    [
        "import os\nos.environ['XLA_FLAGS'] = '--xla_dump_to=x'\n",
        "import os\nos.environ['CUDA_VISIBLE_DEVICES'] = '0'\n",
        "import os\nimport subprocess\nos.environ['JAX_PLATFORMS'] = 'cpu'\n",
        "import os\nenvironment = dict(os.environ)\nenvironment['JAX_PLATFORMS'] = 'cpu'\n",
    ],
)
def test_variables_that_are_read_later_are_right(source: str) -> None:
    """Variables of XLA are read with the first array, those of other processes by them."""
    assert [] == read(source)


SOLVE = (
    "def f(ts, y):\n    s = diffrax.diffeqsolve(t, d, t0=ts[0], t1=ts[-1], dt0=0.1, y0=y{more})\n"
)


@pytest.mark.parametrize(
    ("more", "use"),
    [
        (", saveat=diffrax.SaveAt(ts=ts)", "return s.ys"),
        ("", "return s.ys[-1]"),
        ("", "(last,) = s.ys\n    return last"),
        ("", "return jnp.squeeze(s.ys)"),
        ("", "ys = s.ys\n    return ys[0]"),
        ("", "return s.stats"),
    ],
)
def test_a_solution_at_its_end_is_right(more: str, use: str) -> None:
    """A solve for the last state only, whose only row is taken out, is right."""
    assert [] == read(SOLVE.format(more=more) + f"    {use}\n")


EPOCHS = """
tx = optax.adam(0.1)
for {head}:
    state = tx.init(params)
    for batch in batches{inner}:
        params, state = step(params, state, batch{given})
    {after}
"""


@pytest.mark.parametrize(
    ("head", "inner", "given", "after"),
    [
        ("task in tasks", "", "", "pass"),
        ("cycle in range(3)", "", "", "pass"),
        ("n in range(3)", "", ", n", "pass"),
        ("epoch in range(3)", "", ", weight", "weight *= 2"),
        ("epoch in range(3)", "", "", "params = start"),
    ],
)
def test_a_state_for_another_problem_is_right(
    head: str, inner: str, given: str, after: str
) -> None:
    """Tasks, restarts and penalties that grow start an optimizer again on purpose."""
    source = EPOCHS.format(head=head, inner=inner, given=given, after=after)
    assert [] == read(source)


def test_a_state_made_in_each_epoch_is_found() -> None:
    """Epochs that differ in nothing but the parameters need one state."""
    source = EPOCHS.format(head="epoch in range(3)", inner="", given="", after="print(epoch)")
    assert ["optimizer-state-reset"] == read(source)


VARIATIONAL = """
tx = optax.adam(0.1)


def kl(m, v):
    return {kl}


@jax.grad
def loss(params, x):
    m, v = encode(params, x)
    return {loss}
"""
WRONG = "0.5 * jnp.sum(1 + v - m**2 - jnp.exp(v))"
RIGHT = "0.5 * jnp.sum(jnp.exp(v) + jnp.square(m) - 1 - v)"


@pytest.mark.parametrize(
    ("kl", "loss", "is_found"),
    [
        (WRONG, "jnp.mean(rec(m, x) + kl(m, v))", True),
        (WRONG, "jnp.mean(rec(m, x) - kl(m, v))", False),
        ("-" + WRONG, "jnp.mean(rec(m, x) + 0.1 * kl(m, v))", False),
        ("-" + WRONG, "rec(m, x).mean() - jnp.mean(kl(m, v))", True),
        (RIGHT, "jnp.mean(rec(m, x) + kl(m, v))", False),
        (RIGHT, "-jnp.mean(-rec(m, x) - jax.vmap(kl)(m, v))", False),
        (RIGHT, "-(score(m, x) + jax.vmap(kl)(m, v).mean())", True),
        (WRONG, "jnp.where(x > 0, kl(m, v), 0).mean()", False),
    ],
)
def test_the_sign_of_a_divergence_is_followed(kl: str, loss: str, is_found: bool) -> None:
    """A divergence is a finding only if the loss surely has it with a minus."""
    expected = ["step-with-wrong-sign"] if is_found else []
    assert expected == read(VARIATIONAL.format(kl=kl, loss=loss))


@pytest.mark.parametrize(
    "between",
    [
        "norms = jax.tree.map(lambda g: jnp.sum(g**2), grads)",
        "grads = jax.tree.map(lambda g: g / 2, grads)",
        "_ = jax.tree.map(lambda g: g / 2, grads)",
        "halved = jax.tree.map(lambda g: g / 2, grads)\n    print(halved)",
    ],
)
def test_gradients_that_are_only_looked_at_are_right(between: str) -> None:
    """Norms, and changed gradients that are read, are right."""
    source = f"def f(params, grads, s):\n    {between}\n    return tx.update(grads, s)\n"
    assert [] == read(source)


@pytest.mark.parametrize(
    "draw",
    [
        "jax.random.categorical(key, logits)",
        "jax.random.categorical(key, jnp.log(jax.nn.softmax(logits)))",
        "jax.random.categorical(key, jax.nn.log_softmax(logits))",
        "jax.random.choice(key, 3, p=jax.nn.softmax(logits))",
    ],
)
def test_a_draw_from_logits_is_right(draw: str) -> None:
    """Logits, logarithms and probabilities that are named as such are right."""
    assert [] == read(f"def f(key, logits):\n    return {draw}\n")


EDGES = """
def edges(u):
    return u.at[0].set(0.0)

def logged(u):
    print(u.shape)
    return u.at[0].set(0.0)
"""


@pytest.mark.parametrize(
    ("use", "is_found"),
    [
        ("def f(u):\n    edges(u)\n    return u\n", True),
        ("def f(u):\n    for _ in range(3):\n        u = 2 * u\n        edges(u)\n", True),
        ("@jax.jit\ndef f(u):\n    edges(u)\n    return u\n", True),
        ("def f(u):\n    u = edges(u)\n    return u\n", False),
        ("def f(u):\n    logged(u)\n    return u\n", False),
        ("def f(u):\n    edges(u)\n    u = 2.0\n    return u\n", False),
        ("def test_f(u):\n    edges(u)\n    assert (u == 1).all()\n", False),
        ("import time\ndef f(u):\n    t = time.time()\n    edges(u)\n    return u, t\n", False),
        ("edges = jax.jit(edges)\nu = jnp.ones(3)\nedges(u)\nprint(u)\n", False),
    ],
)
def test_a_result_of_own_functions_is_kept_or_found(use: str, is_found: bool) -> None:
    """A function that only sets elements is called for its result; others may have effects."""
    assert (["update-result-dropped"] if is_found else []) == read(EDGES + use)


def test_a_result_of_functions_of_other_files_is_found() -> None:
    """A function that another file of the learner defines is read there."""
    use = "from {} import edges\ndef f(u):\n    edges(u)\n    return u\n"
    for package, is_found in ((".walls", True), ("walls", True), ("other.walls", False)):
        files = {"/p/walls.py": EDGES, "/p/main.py": use.format(package)}
        causes = [d.diagnosis.cause for d in find((), files, {})]
        assert (["update-result-dropped"] if is_found else []) == causes
