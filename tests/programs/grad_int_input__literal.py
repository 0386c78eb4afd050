# expects: grad-int-input at 9
import jax


def loss(params, x):
    return (params["w"] * x - 1.0) ** 2


print(jax.grad(loss)({"w": 2}, 3.0))
