# expects: nothing
import jax
import jax.numpy as jnp


@jax.custom_jvp
def product(x, y):
    return x * y


@product.defjvp
def product_jvp(primals, tangents):
    (x, y), (x_dot, y_dot) = primals, tangents
    return product(x, y), x_dot * y + x * y_dot


print(jax.grad(product, argnums=(0, 1))(jnp.float32(2.0), jnp.float32(3.0)))
