# expects: function-not-called at 7
# needs: optax
import optax

schedule = optax.cosine_decay_schedule(1e-2, 100)
optimizer = optax.chain(
    optax.zero_nans,
    optax.scale_by_adam(),
    optax.scale_by_learning_rate(schedule),
)
