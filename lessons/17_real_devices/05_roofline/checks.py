"""What roofline asks for."""

import jax
import jax.numpy as jnp
import numpy as np

from jaxtutor.core.vocabulary import Call, Custom

JIT = False

S = jax.ShapeDtypeStruct


def axpy(x, y):
    """Add two rows, of which one is doubled: the least arithmetic for each byte."""
    return 2 * x + y


def chain(x):
    """Change a row in several lines that are fused into one pass over it."""
    for _ in range(4):
        x = jnp.maximum(x * 2 + 1, x - 3)
    return x


def copied(x):
    """Turn a table over: nothing is computed."""
    return x.T


def powers(x):
    """Multiply a table with itself twice; what lies between is written and read."""
    return jnp.tanh(x @ x) @ x


STEPS = {
    "axpy": axpy,
    "chain": chain,
    "copied": copied,
    "powers": powers,
    "product": jnp.matmul,
}

ROW = S((1000,), jnp.float32)
TABLE = S((100, 100), jnp.float32)


def subject(module):
    """Name the step, which is compiled for each call, and return seconds as float32."""

    def call(name, shapes, flops, bandwidth):
        seconds, memory_bound = module.roofline(jax.jit(STEPS[name]), shapes, flops, bandwidth)
        return np.float32(seconds), np.bool_(memory_bound)

    call.roofline = module.roofline
    return call


EXAMPLES = [
    Call("axpy", (ROW, ROW), 1e9, 1e9).gives((1.2e-05, True)),
    Call("product", (TABLE, TABLE), 1e9, 1e9).gives((0.002, False)),
]


def hidden(rng):
    """Programs on either side of the ridge, fused ones, ones without arithmetic, and a tie."""
    fused = "a chain that the compiler fuses"
    yield Call("chain", (ROW,), 1e9, 1e9).when(fused)
    yield Call("chain", (ROW,), 1e9, 4e8).when(fused)
    yield Call("product", (TABLE, TABLE), 1e12, 1e9).when("a device with fast arithmetic")
    yield Call("product", (TABLE, S((100, 1), jnp.float32)), 1e10, 1e10).when("a single column")
    yield Call("copied", (S((300, 200), jnp.float32),), 1e9, 1e9).when(
        "a program without arithmetic"
    )
    yield Call("powers", (S((300, 300), jnp.float32),), 1e13, 1e9).when("a result in between")
    yield Call("axpy", (ROW, ROW), 1e6, 6e6).when("both take equally long")
    yield Call("axpy", (S((64,), jnp.int32), S((64,), jnp.int32)), 1e9, 5e8)


def runs(call):
    """Report that the step was run."""
    ran = []

    @jax.jit
    def step(x):
        jax.debug.callback(lambda: ran.append(1))
        return x + 1

    call.roofline(step, (ROW,), 1e9, 1e9)
    jax.effects_barrier()
    return f"the step was run {len(ran)} times" if ran else None


def too_large(call):
    """Report what happens for arrays of 64 GiB."""
    row = S((2**34,), jnp.float32)
    try:
        seconds, memory_bound = call.roofline(jax.jit(axpy), (row, row), 1e12, 1e12)
    except Exception as error:  # whatever the memory's end raises
        return f"arrays of 64 GiB raised {type(error).__name__}"
    right = np.isclose(seconds, 3 * 2**36 / 1e12, rtol=1e-3) and memory_bound
    return None if right else f"for arrays of 64 GiB it returned {seconds, memory_bound}"


PROPERTIES = [
    Custom("runs", "The step is not run.", runs),
    Custom("no-arrays", "It answers for arrays that are larger than this machine.", too_large),
]
