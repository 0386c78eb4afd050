"""Carries the guess and its error in a dict."""

import jax.numpy as jnp
from jax import lax


def newton_sqrt(x, tol):
    x = jnp.asarray(x, jnp.float32)

    def improve(carry):
        y = (carry["guess"] + x / carry["guess"]) / 2
        return {"guess": y, "error": jnp.abs(y * y - x)}

    start = {"guess": x, "error": jnp.abs(x * x - x)}
    return lax.while_loop(lambda c: c["error"] > tol * x, improve, start)["guess"]
