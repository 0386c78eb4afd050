"""Defines and parses the plain data that is passed between processes."""
