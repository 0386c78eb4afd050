# expects: constructor-runs-on-unflatten at 19
import jax
import jax.numpy as jnp


@jax.tree_util.register_pytree_node_class
class Gaussian:
    def __init__(self, mean, cov):
        if cov.shape != mean.shape * 2:
            raise ValueError(f"cov has the shape {cov.shape}")
        self.mean = mean
        self.cov = cov

    def tree_flatten(self):
        return (self.mean, self.cov), None

    @classmethod
    def tree_unflatten(cls, aux, children):
        return cls(*children)


def log_density(g, x):
    d = x - g.mean
    return -0.5 * d @ jnp.linalg.solve(g.cov, d)


g = Gaussian(jnp.zeros(2), jnp.eye(2))
print(jax.grad(log_density)(g, jnp.ones(2)).mean)
print(jax.tree.map(jnp.ndim, g).cov)
