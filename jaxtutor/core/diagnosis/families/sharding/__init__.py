"""Causes in sharding: specs, meshes, and the collectives between devices."""
