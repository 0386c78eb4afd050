# expects: tangent-not-linear at 21
from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.custom_jvp, nondiff_argnums=(1, 2))
def newton_sqrt(x, start=1.0, rounds=10):
    def body(value, _):
        return 0.5 * (value + x / value), None

    return jax.lax.scan(body, start, None, length=rounds)[0]


@newton_sqrt.defjvp
def newton_sqrt_jvp(start, rounds, primals, tangents):
    (x,), (x_dot,) = primals, tangents
    value = newton_sqrt(x, start, rounds)
    dual = 0.5 * x_dot / value
    return value, dual * x_dot


print(jax.grad(newton_sqrt)(jnp.float32(2.0)))
