"""Recognises mistakes in what was observed while a program ran."""
