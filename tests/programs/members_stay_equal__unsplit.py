# expects: members-stay-equal at 18
# needs: flax optax
import flax.linen as nn
import jax
import jax.numpy as jnp
import optax


class Committee(nn.Module):
    size: int

    @nn.compact
    def __call__(self, x):
        member = nn.vmap(
            nn.Dense,
            in_axes=None,
            variable_axes={"params": 0},
            split_rngs={"params": False},
            axis_size=self.size,
        )
        return member(2)(nn.relu(member(6)(x).mean(0)))


x = jax.random.normal(jax.random.key(0), (12, 3))
committee, tx = Committee(4), optax.adam(0.05)
params = committee.init(jax.random.key(1), x)
state = tx.init(params)


@jax.jit
def train(params, state):
    slopes = jax.grad(lambda p: jnp.mean((committee.apply(p, x) - x[:, :2]) ** 2))(params)
    changes, state = tx.update(slopes, state)
    return optax.apply_updates(params, changes), state


for _ in range(7):
    params, state = train(params, state)
print(committee.apply(params, x).std(0))
