"""Causes in the use of Diffrax."""
