# expects: array-never-trained at 13
# needs: equinox
import equinox as eqx
import jax
import jax.numpy as jnp


class Sensor(eqx.Module):
    slope: jax.Array
    offset: float

    def __init__(self):
        self.offset = 0.0
        self.slope = jnp.array(1.0)

    def __call__(self, reading):
        return self.slope * reading + self.offset


@eqx.filter_jit
def fit(sensor, reading, pressure):
    def loss(sensor):
        return jnp.mean((sensor(reading) - pressure) ** 2)

    grads = eqx.filter_grad(loss)(sensor)
    return eqx.apply_updates(sensor, jax.tree.map(lambda g: -0.1 * g, grads))


sensor, reading = Sensor(), jnp.linspace(0.0, 1.0, 16)
for _ in range(20):
    sensor = fit(sensor, reading, 2.0 * reading + 0.7)
print(sensor.slope, sensor.offset)
