"""What custom-batching asks for."""

import jax
import jax.numpy as jnp
import numpy as np

from jaxtutor.core.vocabulary import Call, Custom, Uses, Vmap

HALVES = np.array([[2.0, 0.0], [0.0, 4.0]], np.float32)
STEPS = np.array([[1.0, 1.0], [0.0, 1.0]], np.float32)

EXAMPLES = [
    Call(HALVES, np.array([2.0, 8.0], np.float32)).gives([1.0, 2.0]),
    Call(STEPS, np.array([3.0, 1.0], np.float32)).gives([2.0, 1.0]),
]


def matrices(rng, *many):
    """Return matrices of size 2 that are far from singular."""
    return (rng.normal(size=(*many, 2, 2)) + 5 * np.eye(2)).astype(np.float32)


def hidden(rng):
    """A system of the same size, one that is larger, and a single equation."""
    yield Call(matrices(rng), rng.normal(size=2).astype(np.float32))
    three = (rng.normal(size=(3, 3)) + 5 * np.eye(3)).astype(np.float32)
    yield Call(three, rng.normal(size=3).astype(np.float32)).when("a matrix of size 3")
    single = np.array([[4.0]], np.float32)
    yield Call(single, np.array([2.0], np.float32)).when("a single equation")


RNG = np.random.default_rng(143)
ONE = matrices(RNG)
FIVE = matrices(RNG, 5)
SIDES = RNG.normal(size=(5, 2)).astype(np.float32)


def program(solve_one, matrix, many):
    """Return the jaxpr of a batch of that many sides, as text."""
    in_axes = (0 if matrix.ndim == 3 else None, 0)
    return str(jax.make_jaxpr(jax.vmap(solve_one, in_axes=in_axes))(matrix, jnp.ones((many, 2))))


def copies(solve_one):
    """Return whether a shared matrix is copied, or factored for each side."""
    text = program(solve_one, jnp.ones((2, 2)), 7)
    if "[7,2,2]" in text:
        return "for seven sides and one matrix, the program holds seven matrices"
    times = text.count("= lu ")
    return f"one matrix is factored {times} times for seven sides" if times > 1 else None


def repeats(solve_one):
    """Return how the batch is walked through, if not in one call."""
    few, many = (program(solve_one, jnp.ones((n, 2, 2)), n) for n in (4, 12))
    if "scan[" in many:
        return "the program has a loop over the batch"
    short, long = (text.count(" = ") for text in (few, many))
    if long > short:
        return f"the program has {short} equations for a batch of 4, and {long} for one of 12"
    return None


def wrong_nested(solve_one):
    """Return what is wrong with a batch of matrices, each with a batch of sides."""
    sides = np.stack([SIDES, -SIDES])
    each = jax.vmap(jax.vmap(solve_one, in_axes=(None, 0)))
    found = jax.jit(each)(FIVE[:2], sides)
    wanted = np.linalg.solve(FIVE[:2, None], sides[..., None])[..., 0]
    if found.shape != wanted.shape:
        return f"for sides of shape {sides.shape} the answer has shape {found.shape}"
    if not np.allclose(found, wanted, atol=1e-4):
        return f"for two matrices with five sides each, expected {wanted}, got {found}"
    return None


PROPERTIES = [
    Uses(
        [Call(ONE, SIDES[0])],
        ("custom_vmap_call",),
        says="It has a rule of its own for jax.vmap.",
    ),
    Vmap([Call(FIVE, SIDES)], says="Under jax.vmap it solves each system."),
    Vmap(
        [Call(ONE, SIDES)],
        in_axes=(None, 0),
        name="shared-matrix",
        says="One matrix may serve many right-hand sides.",
    ),
    Vmap(
        [Call(FIVE, SIDES[0])],
        in_axes=(0, None),
        name="shared-side",
        says="One right-hand side may serve many matrices.",
    ),
    Vmap(
        [Call(ONE, SIDES[:2])],
        in_axes=(None, 0),
        name="as-many-sides",
        says="As many right-hand sides as unknowns are told apart from a matrix.",
    ),
    Custom("one-matrix", "A shared matrix stays one matrix.", copies),
    Custom("one-call", "The rule solves all in one call, without a loop.", repeats),
    Custom("nested", "It works under one jax.vmap inside another.", wrong_nested),
]
