"""Causes in which a traced function has an effect beyond its result."""
