# expects: stale-global at 16
import jax
import jax.numpy as jnp


class Settings:
    def __init__(self, **values):
        self.__dict__.update(values)


class Pendulum:
    def __init__(self):
        self.config = Settings(gravity=9.8, dt=0.05)

    def step(self, state):
        speed = state[1] - self.config.dt * self.config.gravity * jnp.sin(state[0])
        return jnp.stack([state[0] + self.config.dt * speed, speed])


env = Pendulum()


@jax.jit
def rollout(state):
    return jax.lax.scan(lambda s, _: (env.step(s), s[0]), state, None, length=20)


for gravity in (9.8, 1.6):
    env.config.gravity = gravity
    print(rollout(jnp.array([1.0, 0.0]))[0])
