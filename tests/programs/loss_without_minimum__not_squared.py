# expects: loss-without-minimum at 15
import jax
import jax.numpy as jnp

x = jnp.linspace(-1.0, 1.0, 40)[:, None]
y = 3.0 * x[:, 0] - 0.5


def error(model):
    weight, offset = model
    return jnp.mean(x @ weight + offset - y)


def descend(model, _):
    slope = jax.grad(error)(model)
    return jax.tree.map(lambda p, g: p - 0.05 * g, model, slope), None


model, _ = jax.lax.scan(descend, (jnp.zeros(1), jnp.float32(0.0)), None, length=300)
print(model, error(model))
