# expects: nothing
import jax
import jax.numpy as jnp


@jax.jit
def blend(distance, values):
    weights = jnp.exp(-(distance**2))
    return (weights * values).sum() / weights.sum()


@jax.jit
def attention(scores, mask):
    return jax.nn.softmax(jnp.where(mask, scores, -1e9))


@jax.jit
def gated(x):
    return jnp.where(x > 0.0, 1.0 / jnp.where(x > 0.0, x, 1.0), 0.0), jnp.prod(x * 1e-20)


def loop(x):
    return jax.lax.fori_loop(0, 4000, lambda n, v: v * 0.9 + 1.0, x)


print(blend(jnp.arange(30.0), jnp.ones(30)), attention(jnp.arange(3.0), jnp.arange(3) > 0))
print(gated(jnp.arange(4.0)), jax.jit(loop)(1.0), jax.grad(lambda x: jnp.exp(-x * x))(20.0))
for n in range(40):
    last = gated(jnp.full(2, float(n)))
print(last)
