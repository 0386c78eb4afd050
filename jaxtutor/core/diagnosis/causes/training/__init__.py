"""Causes in the loop that trains a model."""
