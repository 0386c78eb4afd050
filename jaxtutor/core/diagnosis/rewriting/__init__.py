"""Rewriting of source code, shared by the fixes of several families."""
