# expects: scan-over-scalar at 12
import jax


def grow(hares, rate):
    hares = hares * (1 + rate)
    return hares, hares


@jax.jit
def forecast(hares, rate):
    return jax.lax.scan(grow, hares, rate)[1]


print(forecast(4.0, 0.5))
