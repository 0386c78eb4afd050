# expects: tangent-not-linear at 14
import jax
import jax.numpy as jnp


@jax.custom_jvp
def identity(x):
    return x


@identity.defjvp
def identity_jvp(primals, tangents):
    (x,), (x_dot,) = primals, tangents
    limited = jnp.clip(x_dot, -1.0, 1.0)
    return x, limited


print(jax.grad(lambda x: jnp.sum(identity(x) ** 2))(jnp.arange(3.0)))
