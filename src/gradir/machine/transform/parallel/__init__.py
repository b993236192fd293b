"""Derivatives of what several threads do at once."""
