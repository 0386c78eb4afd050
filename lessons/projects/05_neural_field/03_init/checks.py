"""Checks for the weights at the start."""

from itertools import pairwise

import jax
import jax.numpy as jnp
import numpy as np

from jaxtutor.core.vocabulary import Call, Custom, KeysOnce

STATIC = ("sizes",)
WIDE = (40, 100, 100, 25)


def layers_of(params):
    """Return the pairs of weights and biases; raise TypeError for another structure."""
    if not isinstance(params, list) or any(
        not isinstance(layer, dict) or set(layer) != {"w", "b"} for layer in params
    ):
        raise TypeError('init returns a list of dicts with the keys "w" and "b"')
    return [(layer["w"], layer["b"]) for layer in params]


def subject(module):
    """Draw, and return what holds for every key."""

    def facts(key, sizes):
        layers = layers_of(module.init(key, sizes))
        return {"w": [jnp.shape(w) for w, _ in layers], "b": [jnp.shape(b) for _, b in layers]}

    facts.draw = jax.jit(lambda key: layers_of(module.init(key, WIDE)))
    return facts


EXAMPLES = [
    Call(jax.random.key(0), (2, 4, 3)).gives({"w": [(2, 4), (4, 3)], "b": [(4,), (3,)]}),
    Call(jax.random.key(1), (5, 1)).gives({"w": [(5, 1)], "b": [(1,)]}),
]


def hidden(rng):
    """Yield more layers."""
    yield Call(jax.random.key(2), (3, 7, 5, 2))


def float32(facts):
    """Return the dtype of a leaf that is not in float32."""
    for number, layer in enumerate(facts.draw(jax.random.key(0)), 1):
        for name, leaf in zip("wb", layer, strict=True):
            if leaf.dtype != jnp.float32:
                return f"{name} of layer {number} is {leaf.dtype}"
    return None


def biases(facts):
    """Return a bias that is not 0."""
    for number, (_, b) in enumerate(facts.draw(jax.random.key(0)), 1):
        if np.any(b):
            return f"a bias of layer {number} is {np.max(np.abs(b)):.2g}"
    return None


def scale(facts):
    """Return mean or deviation of the weights of a layer, if it is not as stated.

    The smallest layer has 2500 weights: their deviation varies by about 1.5% from key to key.
    """
    for number, (w, _) in enumerate(facts.draw(jax.random.key(3)), 1):
        due = (2 / w.shape[0]) ** 0.5
        if abs(np.mean(w)) > 0.1 * due:
            return f"the mean of the weights of layer {number} is {np.mean(w):.2g}"
        if abs(np.std(w) / due - 1) > 0.08:
            has = f"the deviation of the weights of layer {number} is {np.std(w):.3g}"
            return f"{has}; of {w.shape[0]} inputs follows {due:.3g}"
    return None


def independent(facts):
    """Return whether two layers, or two rows of one, follow from each other."""
    weights = [np.asarray(w) for w, _ in facts.draw(jax.random.key(4))]
    for one, other in pairwise(weights):
        size = min(one.size, other.size)
        if abs(np.corrcoef(one.ravel()[:size], other.ravel()[:size])[0, 1]) > 0.2:
            return "two layers have the same numbers"
    for w in (weights[0], weights[0].T):
        between = np.corrcoef(w) - np.eye(len(w))
        if np.isnan(between).any() or np.abs(between).max() > 0.8:
            return "two rows or two columns of a layer have the same numbers"
    return None


def other_key(facts):
    """Return whether two keys give the same weights."""
    one, other = (facts.draw(jax.random.key(seed))[0][0] for seed in (5, 6))
    return "two keys give the same weights" if np.array_equal(one, other) else None


PROPERTIES = [
    KeysOnce([Call(jax.random.key(3), (3, 4, 4, 2))]),
    Custom("float32", "Weights and biases are float32.", float32),
    Custom("biases", "The biases are 0.", biases),
    Custom("independent", "All weights are drawn independently of each other.", independent),
    Custom("scale", "Each layer has weights around 0 with the deviation √(2 / inputs).", scale),
    Custom("other-key", "Another key gives other weights.", other_key),
]
