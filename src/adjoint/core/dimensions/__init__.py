"""Symbolic dimensions: lengths of axes that are expressions, and the scopes that they belong to."""
