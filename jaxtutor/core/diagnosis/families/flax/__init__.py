"""Causes in Flax: variables and modules of linen, objects of NNX, and keys for random layers."""
