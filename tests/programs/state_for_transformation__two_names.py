# expects: state-for-transformation at 12
# needs: optax
import jax.numpy as jnp
import optax

weights = {"slope": jnp.float32(1), "height": jnp.float32(0)}
descent = (
    optax.chain(
        optax.clip(1.0),
        optax.sgd(0.1, momentum=0.9),
    )
    .init(weights)
)
memory = descent
for _ in range(2):
    change, memory = descent.update(weights, memory)
    weights = optax.apply_updates(weights, change)
print(weights["slope"])
