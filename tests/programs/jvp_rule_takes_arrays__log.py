# expects: jvp-rule-takes-arrays at 12
import jax
import jax.numpy as jnp


@jax.custom_jvp
def log1p_exp(x):
    return jnp.log(1.0 + jnp.exp(x))


@log1p_exp.defjvp
def log1p_exp_jvp(x, x_dot):
    return log1p_exp(x), x_dot * jax.nn.sigmoid(x)


print(jax.vmap(jax.grad(log1p_exp))(jnp.array([0.0, 100.0])))
