# expects: gradient-left-out at 16
import jax
import jax.numpy as jnp


@jax.custom_jvp
def soft_power(x, p):
    return jnp.exp(p * jnp.log1p(x))


@soft_power.defjvp
def soft_power_jvp(primals, tangents):
    x, p = primals
    x_dot, _ = tangents
    value = soft_power(x, p)
    return value, value * p / (1.0 + x) * x_dot


def loss_of(params, x, y):
    exponent = jax.nn.softplus(params["exponent"])
    return jnp.mean((params["scale"] * soft_power(x * params["rate"], exponent) - y) ** 2)


x = jnp.linspace(0.1, 2.0, 16)
y = 1.5 * (1.0 + x) ** 2.5
params = {"exponent": jnp.array(0.5), "scale": jnp.array(1.0), "rate": jnp.array(1.0)}
for _ in range(20):
    grads = jax.grad(loss_of)(params, x, y)
    params = jax.tree.map(lambda p, g: p - 1e-3 * g, params, grads)
print(params["exponent"])
