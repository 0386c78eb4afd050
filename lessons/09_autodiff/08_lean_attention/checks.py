"""What lean-attention asks for."""

import jax
import numpy as np
from jax.extend.core import jaxprs_in_params

from jaxtutor.core.vocabulary import Call, Custom, Gradient

WIDTH, HEAD = 6, 4


def arrays(rows, seed=3):
    """Return rows and three matrices, with numbers of no pattern."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(rows, WIDTH)).astype(np.float32)
    return x, *(rng.normal(size=(WIDTH, HEAD)).astype(np.float32) for _ in range(3))


ONE = np.ones((1, 1), np.float32)
ROWS = np.array([[1.0], [3.0]], np.float32)

EXAMPLES = [
    Call(ROWS, 0 * ONE, ONE, ONE).gives([[2.0], [2.0]]),
    Call(ROWS[:1], ONE, ONE, ONE).gives([[1.0]]),
]


def hidden(rng):
    """Some rows, and a single one."""
    yield Call(*arrays(5, 1))
    yield Call(*arrays(1, 2)).when("a single row")


def kept(function, rows):
    """Count the numbers that are kept for the backward pass, the arguments excluded."""
    args = arrays(rows)
    packed = jax.eval_shape(lambda *args: jax.tree.leaves(jax.vjp(function, *args)[1]), *args)
    return sum(leaf.size for leaf in packed) - sum(arg.size for arg in args)


def keeps_a_table(lean_attention):
    """Report more than three numbers for each row and column of a projection."""
    for rows in (32, 64):
        count, enough = kept(lean_attention, rows), 3 * rows * HEAD
        if count > enough + 4 * rows:
            return f"{count} numbers are kept for {rows} rows; q, k and v have {enough}"
    return None


def products(jaxpr):
    """Count the matrix products in a jaxpr and in those inside it."""
    inner = (each for eqn in jaxpr.eqns for each in jaxprs_in_params(eqn.params))
    own = sum(eqn.primitive.name == "dot_general" for eqn in jaxpr.eqns)
    return own + sum(products(each) for each in inner)


def computes_again(lean_attention):
    """Report a gradient that computes the projections twice."""

    def gradient(*args):
        return jax.grad(lambda *args: lean_attention(*args).sum(), argnums=(0, 1, 2, 3))(*args)

    count = products(jax.make_jaxpr(gradient)(*arrays(32)).jaxpr)
    # 5 products forwards, 10 backwards, and the scores again, perhaps with the result.
    return f"the gradient has {count} matrix products; 16 are enough" if count > 17 else None


PROPERTIES = [
    Gradient([Call(*arrays(4))], argnums=(0, 1, 2, 3), says="Its gradient is that of attention."),
    Custom("kept", "No table of n rows and n columns is kept.", keeps_a_table),
    Custom("computed-again", "The projections are computed once.", computes_again),
]
