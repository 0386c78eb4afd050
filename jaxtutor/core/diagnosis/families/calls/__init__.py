"""Causes in how functions of JAX are called: their order, their operands, functions and keys."""
