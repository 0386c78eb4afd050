# expects: nothing
import jax
import jax.numpy as jnp


def softmax_in_blocks(scores):
    def block(carry, row):
        top, total = carry
        new = jnp.maximum(top, row.max())
        return (new, total * jnp.exp(top - new) + jnp.exp(row - new).sum()), None

    (top, total), _ = jax.lax.scan(block, (-jnp.inf, 0.0), scores)
    return top + jnp.log(total)


def count_solved(state, key):
    # Nothing is lower than an error of zero.
    errors = jnp.maximum(jnp.abs(jax.random.normal(key, (4,))) - 9.0, 0.0)
    best = jnp.minimum(state["best"], errors.min())
    return {"best": best, "seen": state["seen"] + errors.size}, None


def settled(state, _):
    # The candidate stays the same because the search stays where it is.
    place = state["place"] - 0.0 * state["place"]
    height = jnp.sum(place**2)
    better = height < state["best"]
    return {"place": place, "best": jnp.where(better, height, state["best"])}, None


def descend(state, _):
    place = 0.9 * state["place"]
    height = jnp.sum(place**2)
    better = height < state["best"]
    return {"place": place, "best": jnp.where(better, height, state["best"])}, None


keys = jax.random.split(jax.random.key(0), 60)
print(softmax_in_blocks(jnp.sin(jnp.arange(128.0)).reshape(32, 4)))
print(jax.lax.scan(count_solved, {"best": jnp.float32(1.0), "seen": 0}, keys)[0])
start = {"place": jnp.ones(3), "best": jnp.float32(jnp.inf)}
print(jax.lax.scan(settled, start, None, length=60)[0], jax.lax.scan(descend, start, None, 60)[0])
