"""What train-nnx asks for."""

import jax
import jax.numpy as jnp
import numpy as np
import optax
from flax import nnx

from jaxtutor.core.vocabulary import Call, Custom

JIT = False

RUNS = []


class Net(nnx.Module):
    """Two layers with a batch norm between them; it notes each run of its code."""

    def __init__(self, columns, units, rngs):
        # Without a bias: batch norm would take it away, and Adam would follow rounding errors.
        self.first = nnx.Linear(columns, units, use_bias=False, rngs=rngs)
        self.norm = nnx.BatchNorm(units, rngs=rngs)
        self.last = nnx.Linear(units, 1, rngs=rngs)

    def __call__(self, x):
        RUNS.append(None)
        return self.last(jnp.tanh(self.norm(self.first(x))))


class Small(nnx.Module):
    """The model of the examples."""

    def __init__(self):
        self.w = nnx.Param(jnp.array(2.0))
        self.norm = nnx.BatchNorm(1, use_bias=False, use_scale=False, rngs=nnx.Rngs(0))

    def __call__(self, x):
        RUNS.append(None)
        return self.norm(self.w[...] * x)


def build(kind, columns):
    """Build a model by its name."""
    return Small() if kind == "small" else Net(columns, 4, nnx.Rngs(0))


def subject(module):
    """Run so many steps; return the losses and the arrays of the model."""

    def train(kind, steps, x, y):
        model = build(kind, x.shape[1])
        tx = optax.sgd(0.25) if kind == "small" else optax.adam(0.1)
        optimizer = nnx.Optimizer(model, tx, wrt=nnx.Param)
        losses = [module.train_nnx(model, optimizer, x, y) for _ in range(steps)]
        state = nnx.to_pure_dict(nnx.state(model))
        return jnp.stack(losses), state, jnp.asarray(optimizer.step[...])

    return train


X, Y = np.array([[-1.0], [1.0]], np.float32), np.array([[1.0], [-3.0]], np.float32)

EXAMPLES = [
    Call("small", 1, X, Y),
    Call("small", 2, X, Y).when("a second step"),
]


def hidden(rng):
    """Yield a larger model, for one step and for several."""

    def some(*shape):
        return rng.normal(size=shape).astype(np.float32)

    x, y = some(6, 3), some(6, 1)
    yield Call("net", 1, x, y)
    yield Call("net", 4, x, y).when("several steps")


def compiled(train):
    """Return how often the model's code runs in three steps."""
    x = np.linspace(-1, 1, 14, dtype=np.float32).reshape(7, 2)
    RUNS.clear()
    train("net", 3, x, x[:, :1])
    if len(RUNS) == 1:
        return None
    return f"in three steps, the code of the model ran {len(RUNS)} times"


PROPERTIES = [
    Custom("compiled", "It is traced once, and runs the model once.", compiled),
]
