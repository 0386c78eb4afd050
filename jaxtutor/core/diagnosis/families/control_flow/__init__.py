"""Causes in control flow."""
