"""Causes in primitives, rules, pytrees, exports and kernels."""
