# expects: array-as-number at 8
import jax
import jax.numpy as jnp


class Log:
    def write(self, step, **values):
        text = " ".join(f"{name}={value:.4f}" for name, value in values.items())
        print(step, text)


def loss(w, x):
    return (x @ w - 1.0) ** 2


log = Log()
for step in range(2):
    log.write(step, loss=jax.jit(loss)(jnp.ones(3), jnp.ones((4, 3))))
