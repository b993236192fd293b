"""Shadows: where the derivative of memory lives, and what has none."""
