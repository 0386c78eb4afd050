# expects: stale-global at 10
import jax
import jax.numpy as jnp

stats = {"steps": 0, "loss": 0.0}


@jax.jit
def step(w, x):
    stats["steps"] += 1
    return w - 0.1 * jax.grad(lambda w: jnp.mean((x @ w) ** 2))(w)


w = jnp.ones(3)
for _ in range(4):
    w = step(w, jnp.eye(3))
    stats["loss"] += float(w.sum())
print(stats["loss"] / stats["steps"])
