# expects: container-for-array at 11
import jax
import jax.numpy as jnp


def best(speeds):
    return speeds.max()


def report(lap):
    return 3.6 * best(lap)


print(report({"speed": jnp.array([2.0, 5.0]), "pulse": jnp.array([120.0, 150.0])}))
