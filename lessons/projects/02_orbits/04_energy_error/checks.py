"""Checks for the energy of a state, and how well a simulation keeps it."""

import jax
import jax.numpy as jnp
import numpy as np

from jaxtutor.core.vocabulary import Call, Custom, Finite, SameSize, Traces

STATIC = ("steps",)


def subject(module):
    """Return both functions of the step as one, and the parts that the tests need."""

    def facts(state, m, dt, softening, steps):
        return {
            "energy": module.energy(state, m, softening),
            "error": module.energy_error(state, m, dt, softening, steps),
        }

    facts.energy, facts.error = module.energy, module.energy_error
    facts.accelerations = module.accelerations
    return facts


def array(values):
    """Return a float32 array."""
    return np.array(values, np.float32)


AT_REST = (array([[0, 0], [2, 0]]), array([[0, 0], [0, 0]]))
ALONE = (array([[1, 1]]), array([[3, 4]]))

EXAMPLES = [
    Call(ALONE, array([2]), 0.1, 0.5, 4).gives({"energy": 25.0, "error": 0.0}),
    Call(AT_REST, array([4, 3]), 0.0, 0.0, 2).gives({"energy": -6.0, "error": 0.0}),
]


def system(rng, n, d=2):
    """Return the state of n bodies in d dimensions, and their masses."""
    x, v = rng.normal(size=(2, n, d)).astype(np.float32)
    return (x, v), rng.uniform(0.3, 1, n).astype(np.float32)


def oval(speed=0.8):
    """Return a small body on an oval orbit around a heavy one, and their masses."""
    x, v = array([[0, 0], [1, 0]]), array([[0, 0], [0, speed]])
    return (x, v), array([1, 0.001])


def hidden(rng):
    """Yield orbits with steps so long that energy is visibly lost, and a few bodies."""
    yield Call(*oval(), 0.3, 0.0, 20).when("an oval orbit with long steps")
    yield Call(*system(rng, 4, 3), 0.3, 1.0, 6).when("three dimensions")
    yield Call(*system(rng, 3), 0.3, 0.8, 1).when("a single step")


RNG = np.random.default_rng(4)
STATE, M = system(RNG, 4)
SOFTENED = 0.7


def slope(facts):
    """Compare the slope of the energy with the forces."""
    x, v = STATE
    found = jax.jit(jax.grad(lambda x: facts.energy((x, v), M, SOFTENED)))(jnp.asarray(x))
    expected = -M[:, None] * facts.accelerations(jnp.asarray(x), jnp.asarray(M), SOFTENED)
    if np.allclose(found, expected, rtol=1e-3, atol=1e-4):
        return None
    return "the slope of the energy with respect to the places is not minus the forces"


def kept(facts):
    """Report how much energy an orbit of 1000 short steps loses."""
    error = jax.jit(facts.error, static_argnums=4)(*oval(), 0.02, 0.0, 1000)
    return None if error < 0.01 else f"over 1000 steps, {error:.1%} of the energy come or go"


PROPERTIES = [
    Traces([Call(STATE, M, 0.1, 0.1, 5), Call(STATE, 2 * M, 0.2, 0.3, 5)]),
    SameSize(
        [Call(STATE, M, 0.1, 0.1, 3), Call(*system(RNG, 9), 0.1, 0.1, 300)],
        says="More bodies and more steps take no more equations.",
    ),
    Finite(
        [Call(*oval(), 0.1, 0.0, 3).when("a softening of 0")],
        gradient=True,
        says="Its gradient with respect to the state is never NaN.",
    ),
    Custom("slope", "The slope of the energy is minus the force on each body.", slope),
    Custom("kept", "Over 1000 steps of leapfrog, less than 1 % of the energy comes or goes.", kept),
]

RIGHT_TOO = {
    "itself = jnp.eye(x.shape[0])": "`where` takes every number but 0 for True.",
    "pairs = jnp.where(itself, 0.0, m[:, None] * m * jnp.where(itself, 2.0, square) ** -0.5)": (
        "The number for a body itself is discarded. It must only have a finite power."
    ),
}
