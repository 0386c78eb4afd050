"""Causes in the loop that trains a model, found by reading the program."""
