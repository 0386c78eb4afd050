"""Causes in differentiation."""
