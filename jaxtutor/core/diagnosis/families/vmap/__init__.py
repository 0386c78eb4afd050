"""Causes in vmap."""
