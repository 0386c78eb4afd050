# expects: unpack-count-mismatch at 20
# needs: diffrax
import diffrax
import jax.numpy as jnp


def cool(t, temperature, args):
    (rate,) = args
    return -rate * (temperature - 20.0)


def final_temperature(rate, start):
    return diffrax.diffeqsolve(
        diffrax.ODETerm(cool),
        diffrax.Heun(),
        t0=0.0,
        t1=10.0,
        dt0=0.1,
        y0=start,
        args=(rate),
    ).ys[0]


print(final_temperature(jnp.array(0.3), jnp.array(90.0)))
