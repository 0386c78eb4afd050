# expects: solve-batched-vectors at 7
import jax
import jax.numpy as jnp


def newton_steps(hessians, gradients):
    return -jnp.linalg.solve(hessians, gradients)


points = jnp.arange(6.0).reshape(3, 2)
hessians = jax.vmap(jax.hessian(lambda p: jnp.sum(p**4) + jnp.sum(p**2)))(points)
gradients = jax.vmap(jax.grad(lambda p: jnp.sum(p**4) + jnp.sum(p**2)))(points)
print(newton_steps(hessians, gradients))
