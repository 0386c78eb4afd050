"""Causes in devices, callbacks and sharding."""
