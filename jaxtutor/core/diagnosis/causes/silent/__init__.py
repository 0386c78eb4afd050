"""Causes that raise nothing: numbers, orders and settings."""
