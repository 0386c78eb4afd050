"""What mixed-step asks for."""

import jax
import jax.numpy as jnp
import numpy as np

from jaxtutor.core.vocabulary import Call, Custom, Types


def f32(values):
    """Make an array of floats."""
    return np.array(values, np.float32)


FLAT = {"w1": np.zeros((2, 3), np.float32), "w2": np.ones((3, 1), np.float32)}
ONE = f32([[1, 1]])

EXAMPLES = [
    Call(FLAT, ONE, f32([[1]]), 0.5).gives(({"w1": [[1.0] * 3] * 2, "w2": [[1.0]] * 3}, 1.0)),
    Call(FLAT, ONE, f32([[3]]), 0.5).gives(({"w1": [[3.0] * 3] * 2, "w2": [[1.0]] * 3}, 9.0)),
]


def some(rng, rows=16):
    """Make weights, rows and targets."""

    def draw(*shape):
        return (rng.normal(size=shape) / 2).astype(np.float32)

    return {"w1": draw(4, 8), "w2": draw(8, 1)}, draw(rows, 4), draw(rows, 1)


def hidden(rng):
    """Yield random networks."""
    yield Call(*some(rng), 0.1)
    yield Call(*some(rng), 1.0)
    yield Call(*some(rng, 1), 0.5).when("a batch of one row")


CASE = some(np.random.default_rng(7))


def jaxprs(jaxpr):
    """Yield a jaxpr and all within it."""
    yield jaxpr
    for equation in jaxpr.eqns:
        for value in equation.params.values():
            for each in value if isinstance(value, tuple | list) else (value,):
                inner = getattr(each, "jaxpr", each)
                if hasattr(inner, "eqns"):
                    yield from jaxprs(inner)


def equations(function, primitive):
    """List the equations of one primitive in the step."""
    traced = jax.make_jaxpr(lambda p, x, y: function(p, x, y, 0.1))(*CASE)
    return [e for j in jaxprs(traced.jaxpr) for e in j.eqns if e.primitive.name == primitive]


def products(function):
    """Return the dtype of a product that is not in bfloat16."""
    found = equations(function, "dot_general")
    if not found:
        return "there is no product of matrices in the jaxpr"
    for equation in found:
        dtypes = [operand.aval.dtype for operand in equation.invars]
        if any(dtype != jnp.bfloat16 for dtype in dtypes):
            return f"a product has operands of {dtypes[0]} and {dtypes[1]}"
    return None


def sums(function):
    """Compare the loss of many rows with the right one: a sum in bfloat16 is far from it."""
    params = {"w1": jnp.zeros((4, 8)), "w2": jnp.zeros((8, 1))}
    y = np.linspace(0.9, 1.1, 4096, dtype=np.float32)[:, None]
    _, loss = function(params, np.ones((4096, 4), np.float32), y, 0.1)
    true = float(np.mean(y.astype(np.float64) ** 2))
    if abs(float(loss) - true) < 1e-5:
        return None
    return f"the loss of 4096 rows is {float(loss):.5f}, not {true:.5f}"


def small_steps(function):
    """Return whether many small steps add up."""
    x, y = np.ones((1, 1), np.float32), np.full((1, 1), 1.0, np.float32)
    before = {"w1": jnp.full((1, 1), 1.0), "w2": jnp.full((1, 1), 1.0)}
    after = before
    step = jax.jit(function)
    for _ in range(16):
        after, _ = step(after, x, y, 1e-3)
    moved = float(after["w2"][0, 0] - before["w2"][0, 0])
    return None if moved > 1e-3 else f"sixteen small steps move a weight by {moved:.6f}"


PROPERTIES = [
    Types([Call(*CASE, 0.1)], weak=False, says="Weights and loss are float32."),
    Custom("products", "All products of matrices are in bfloat16.", products),
    Custom("sums", "The mean is computed in float32.", sums),
    Custom("small-steps", "Small steps are not rounded away.", small_steps),
]
