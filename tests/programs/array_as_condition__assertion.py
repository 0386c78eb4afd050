# expects: array-as-condition at 14
import jax
import jax.numpy as jnp


def rotate(points, angle):
    c, s = jnp.cos(angle), jnp.sin(angle)
    return points @ jnp.array([[c, s], [-s, c]])


def test_full_turn():
    points = jnp.eye(2)
    turned = jax.jit(rotate)(points, 2 * jnp.pi)
    assert turned == points


test_full_turn()
