"""Causes in what is traced: conditions, sizes, conversions, effects, static arguments."""
