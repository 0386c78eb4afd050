"""Causes in shapes: arguments, indices, mapped axes, trees, unpacking."""
