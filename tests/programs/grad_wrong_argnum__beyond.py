# expects: grad-wrong-argnum at 9
import jax


def area(width, height):
    return width * height


sensitivity = jax.jit(jax.grad(area, argnums=2))
sensitivity(2.0, 3.0)
