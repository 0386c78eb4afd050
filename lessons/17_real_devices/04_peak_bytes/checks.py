"""What peak-bytes asks for."""

import operator

import jax
import jax.numpy as jnp
import numpy as np

from jaxtutor.core.vocabulary import Call, Custom

JIT = False

S = jax.ShapeDtypeStruct


def loss(w, x):
    """Return the mean square of a network of four layers."""
    for layer in w:
        x = jnp.tanh(x @ layer)
    return jnp.mean(x**2)


def update(w, x):
    """Return the weights after a step."""
    return jax.tree.map(lambda w, slope: w - slope, w, jax.grad(loss)(w, x))


STEPS = {
    "double": lambda: jax.jit(lambda w, x: w * x),
    "loss": lambda: jax.jit(loss),
    "gradient": lambda: jax.jit(update),
    "donating": lambda: jax.jit(update, donate_argnums=0),
}

LAYERS = [S((32, 32), jnp.float32)] * 4
ROWS = S((32,), jnp.float32)
NUMBER, FOUR = S((), jnp.float32), S((4,), jnp.float32)


def subject(module):
    """Name the step, which is compiled for each call by itself; refuse a number that is no int."""

    def call(name, w, row, budget):
        return np.int32(operator.index(module.largest_batch(STEPS[name](), w, row, budget)))

    call.largest_batch = module.largest_batch
    return call


EXAMPLES = [
    Call("double", NUMBER, FOUR, 1000).gives(16),
    Call("double", NUMBER, FOUR, 30).gives(0).when("a budget that not even one row fits into"),
]


def hidden(rng):
    """The exact budget, temporary arrays, donated weights, and rows of other dtypes."""
    yield Call("double", NUMBER, FOUR, 516).when("a budget that 16 rows fill exactly")
    yield Call("double", NUMBER, FOUR, 515).when("a budget that 16 rows miss by one byte")
    yield Call("double", S((), jnp.bfloat16), S((2, 3), jnp.bfloat16), 400)
    gradient = "a gradient, which keeps what the layers computed"
    yield Call("gradient", LAYERS, ROWS, 90_000).when(gradient)
    for budget in (40_000, 50_000):
        yield Call("donating", LAYERS, ROWS, budget).when("a step that donates its weights")
    yield Call("loss", LAYERS, ROWS, 45_000).when("a loss, whose result is one number")


def runs(call):
    """Report that the step was run."""
    ran = []

    @jax.jit
    def step(w, x):
        jax.debug.callback(lambda: ran.append(1))
        return w * x

    call.largest_batch(step, NUMBER, FOUR, 300)
    jax.effects_barrier()
    return f"the step was run {len(ran)} times" if ran else None


def too_large(call):
    """Report what happens for batches of 64 GiB."""
    row = S((2**22,), jnp.float32)
    try:
        n = call.largest_batch(STEPS["double"](), NUMBER, row, 2**36)
    except Exception as error:  # whatever the memory's end raises
        return f"a batch of 32 GiB raised {type(error).__name__}"
    return None if n == 1024 else f"for rows of 16 MiB and a budget of 64 GiB it returned {n}"


PROPERTIES = [
    Custom("runs", "The step is not run.", runs),
    Custom("no-arrays", "It answers for batches that are larger than this machine.", too_large),
]
