"""Causes in gradients."""
