# expects: int-dtype-truncation at 9
import jax.numpy as jnp


def fit(x, y):
    w = jnp.zeros(2, dtype=int)
    for _ in range(3):
        gradient = 2.0 * x.T @ (x @ w - y) / len(y)
        w = w + (-0.1 * gradient).astype(w.dtype)
    return w


fit(jnp.eye(2), jnp.array([1.0, 3.0]))
