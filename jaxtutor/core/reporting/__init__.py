"""Builds what other programs read: JSON, JUnit, grades; and judges an installation."""
