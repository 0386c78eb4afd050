# expects: step-with-wrong-sign at 16
import jax
import jax.numpy as jnp

x = jnp.sin(jnp.arange(60.0)).reshape(20, 3)
y = x @ jnp.array([1.0, -2.0, 0.5])


def loss(params):
    hidden = jnp.tanh(x @ params["first"])
    return jnp.mean((hidden @ params["second"] - y) ** 2)


@jax.jit
def step(params, rate):
    value, slope = jax.value_and_grad(loss)(params)
    return jax.tree.map(lambda p, g: p + rate * g, params, slope), value


params = {"first": jnp.cos(jnp.arange(12.0)).reshape(3, 4), "second": jnp.full(4, 0.1)}
for _ in range(40):
    params, value = step(params, 0.05)
print(value)
