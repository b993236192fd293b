"""Derivatives of functions: forward mode, reverse mode, and what both share."""
