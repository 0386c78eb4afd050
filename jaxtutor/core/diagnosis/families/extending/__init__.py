"""Causes in export, compiled programs, primitives and Pallas kernels."""
