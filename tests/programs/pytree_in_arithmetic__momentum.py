# expects: pytree-in-arithmetic at 11
import jax
import jax.numpy as jnp


class Momentum:
    def __init__(self, params, decay):
        self.decay, self.velocity = decay, jax.tree.map(jnp.zeros_like, params)

    def step(self, params, grads):
        self.velocity = self.decay * self.velocity + grads
        return jax.tree.map(lambda p, v: p - 0.1 * v, params, self.velocity)


params = {"w": jnp.ones(3), "b": jnp.zeros(())}
grads = jax.grad(lambda p: jnp.sum(p["w"]) + p["b"])(params)
print(Momentum(params, 0.9).step(params, grads))
