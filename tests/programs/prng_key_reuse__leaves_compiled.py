# expects: prng-key-reuse at 10
import jax
import jax.numpy as jnp


@jax.jit
def langevin(params, data, rng):
    def move(p, g):
        # The step is half the variance of the noise.
        return p - 0.005 * g + 0.1 * jax.random.normal(rng, p.shape)

    grads = jax.grad(lambda p: jnp.mean((data @ p["w"] + p["b"]) ** 2))(params)
    return jax.tree.map(move, params, grads)


params = {"w": jnp.ones(3), "b": jnp.ones(3)}
for n in range(3):
    params = langevin(params, jnp.eye(3), jax.random.fold_in(jax.random.key(1), n))
print(params["b"])
