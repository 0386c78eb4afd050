"""With a derivative: that of K0 is -K1."""

import jax
import scipy.special


def host(f, x):
    return jax.pure_callback(
        f, jax.ShapeDtypeStruct(x.shape, x.dtype), x, vmap_method="expand_dims"
    )


@jax.custom_jvp
def bessel(x):
    return host(scipy.special.k0, x)


@bessel.defjvp
def bessel_rule(primals, tangents):
    (x,), (dx,) = primals, tangents
    return bessel(x), -host(scipy.special.k1, x) * dx
