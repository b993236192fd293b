"""Integers that are made of floats, or that floats are made of: which operations on bits have derivatives."""
