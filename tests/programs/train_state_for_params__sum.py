# expects: train-state-for-params at 14
# needs: flax optax
import jax
import jax.numpy as jnp
import optax
from flax.training import train_state


class Holder(train_state.TrainState):
    seen: int = 0


def add_up(holder, rows):
    total = jax.tree.map(jnp.zeros_like, holder)
    for row in rows:
        slope = jax.grad(lambda p: holder.apply_fn(p["w"], row))(holder.params)
        total = jax.tree.map(jnp.add, total, slope)
    return total


holder = Holder.create(apply_fn=jnp.dot, params={"w": jnp.ones(3)}, tx=optax.adam(0.1))
print(add_up(holder, jnp.eye(3)))
