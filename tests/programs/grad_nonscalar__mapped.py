# expects: grad-nonscalar at 9
import jax
import jax.numpy as jnp


def per_example(loss, w, xs, ys):
    # The labels have an entry for each example, and are not mapped.
    def of_all(w):
        return jax.vmap(jax.grad(loss), in_axes=(None, 0, None))(w, xs, ys)

    return of_all(w)


print(per_example(lambda w, x, y: (w @ x - y) ** 2, jnp.ones(2), jnp.ones((3, 2)), jnp.ones(3)))
