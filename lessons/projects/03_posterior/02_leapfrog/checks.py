"""Checks for a path along the density."""

import jax.numpy as jnp
import numpy as np

from jaxtutor.core.vocabulary import Call, Custom, SameSize, Traces

STATIC = ("logp", "n")


def flat(q):
    """Return 0, whatever q is."""
    return 0.0 * jnp.sum(q)


def tilted(q):
    """Return a log density that rises by 2 with each coordinate."""
    return 2.0 * jnp.sum(q)


def oval(q):
    """Return the log density of independent normal numbers with variances 1, 1/2, 1/3 and so on."""
    return -0.5 * jnp.sum(jnp.arange(1.0, q.shape[0] + 1) * q**2)


def array(values):
    """Return a float32 array."""
    return np.array(values, np.float32)


EXAMPLES = [
    Call(flat, array([0, 0]), array([1, 2]), 0.5, 4).gives(([2.0, 4.0], [1.0, 2.0])),
    Call(tilted, array([0, 5]), array([0, 0]), 1.0, 1).gives(([1.0, 6.0], [2.0, 2.0])),
]


def hidden(rng):
    """Yield paths along an oval density, forwards and backwards."""
    q, p = rng.normal(size=(2, 3)).astype(np.float32)
    yield Call(oval, q, p, 0.2, 1).when("a single step")
    yield Call(oval, q, p, 0.2, 7).when("several steps")
    yield Call(oval, p, q, -0.3, 7).when("steps back")


Q, P = array([0.5, -1.0]), array([1.0, 0.3])


def there_and_back(leapfrog):
    """Report how far a path and the same path back end from the start."""
    q, p = leapfrog(oval, *leapfrog(oval, jnp.asarray(Q), jnp.asarray(P), 0.2, 10), -0.2, 10)
    off = max(np.abs(q - Q).max(), np.abs(p - P).max())
    return None if off < 1e-4 else f"a path there and back ends {off:.1g} from the start"


PROPERTIES = [
    SameSize(
        [Call(oval, Q, P, 0.1, 2), Call(oval, Q, P, 0.1, 50)],
        says="50 steps take no more equations than two.",
    ),
    Traces([Call(oval, Q, P, 0.1, 5), Call(oval, P, Q, 0.2, 5)]),
    Custom("there-and-back", "A path there and the same back lead to the start.", there_and_back),
]
