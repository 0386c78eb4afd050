# expects: state-not-carried at 25
import jax
import jax.numpy as jnp


@jax.jit
def advance(weights, statistics, x):
    def loss(w):
        y = x @ w
        return jnp.mean((y - 1.0) ** 2), y

    (value, y), slope = jax.value_and_grad(loss, has_aux=True)(weights)
    moved = {
        "mean": 0.9 * statistics["mean"] + 0.1 * y.mean(),
        "square": 0.9 * statistics["square"] + 0.1 * jnp.mean(y**2),
    }
    return weights - 0.1 * slope, moved, value


weights = jnp.zeros(2)
statistics = {"mean": jnp.array(0.0), "square": jnp.array(1.0)}
for n in range(5):
    x = jnp.cos(jnp.arange(6.0) + n).reshape(3, 2)
    # The averages never move.
    weights, _, value = advance(weights, statistics, x)
print(weights, value, statistics)
