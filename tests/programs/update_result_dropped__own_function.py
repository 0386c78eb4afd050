# expects: update-result-dropped at 18
import jax
import jax.numpy as jnp


@jax.jit
def step(w):
    return w - 0.1 * jax.grad(lambda w: jnp.sum((w - 1.0) ** 2))(w)


def fit(w, rounds):
    for _ in range(rounds):
        w = step(w)
    return w, rounds


w = jnp.zeros(2)
fit(w, rounds=20)
print(w)
