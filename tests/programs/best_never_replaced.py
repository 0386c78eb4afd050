# expects: best-never-replaced at 17
import jax
import jax.numpy as jnp


@jax.jit
def generation(state, key):
    noise = jax.random.normal(key, (32, 4))
    members = state["mean"] + 0.3 * noise
    height = jnp.sum(jnp.cos(members) - 0.1 * members**2, axis=1)
    score = height / jnp.abs(height).max()
    mean = state["mean"] + 0.1 * score @ noise / 32
    i = jnp.argmax(jnp.abs(score))
    top = jnp.abs(score[i])
    return {
        "mean": mean,
        "top": jnp.maximum(state["top"], top),
        "best": jnp.where(top > state["top"], members[i], state["best"]),
    }


state = {"mean": jnp.ones(4), "top": jnp.float32(0.0), "best": jnp.zeros(4)}
for n in range(200):
    state = generation(state, jax.random.fold_in(jax.random.key(0), n))
print(state["best"])
