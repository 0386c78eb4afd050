"""Implements the prompt of `jaxtutor repl`, from input to output."""
