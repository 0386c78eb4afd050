"""Causes in what functions are given: shapes, containers, classes, None."""
