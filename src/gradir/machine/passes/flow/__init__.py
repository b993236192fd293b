"""Jumps, exceptions and what they skip, brought into a form that has a derivative."""
