# expects: prng-key-reuse at 11
import jax


class Sensor:
    def __init__(self, key, scale):
        self.key = key
        self.scale = scale

    def read(self, value):
        return value + self.scale * jax.random.normal(self.key)


sensor = Sensor(jax.random.key(2), 0.1)
readings = [sensor.read(3.0) for _ in range(4)]
