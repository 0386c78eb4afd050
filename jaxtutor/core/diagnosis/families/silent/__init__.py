"""Causes that mostly raise nothing."""
