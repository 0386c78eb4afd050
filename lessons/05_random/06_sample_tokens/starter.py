"""Logits, not probabilities: the next word of a language model."""

import jax


def sample(key, logits, temperature):
    """Return the index of one word, drawn at this temperature."""
    # TODO: the sampler asks for logits, and a temperature of 0 is allowed.
    return jax.random.categorical(key, jax.nn.softmax(logits / temperature))
