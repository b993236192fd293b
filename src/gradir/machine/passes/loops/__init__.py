"""Loops: their rounds as functions, how much memory rounds write, what is loaded early, unrolling."""
