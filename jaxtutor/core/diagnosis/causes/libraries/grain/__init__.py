"""Causes in the use of Grain."""
