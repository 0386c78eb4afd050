# expects: prng-key-reuse at 17
import jax
import jax.numpy as jnp


@jax.jit
def train_step(state, x):
    noisy = x + 0.1 * jax.random.normal(state["key"], x.shape)
    grads = jax.grad(lambda w: jnp.mean((noisy @ w - 1.0) ** 2))(state["w"])
    # The key goes into the next step as it is.
    return {**state, "w": state["w"] - 0.1 * grads}


state = {"w": jnp.zeros(3), "key": jax.random.key(0)}
data = jax.random.normal(jax.random.key(1), (5, 8, 3))
for batch in data:
    state = train_step(state, batch)
print(state["w"].shape)
