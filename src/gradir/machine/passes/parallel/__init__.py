"""Threads, teams, tasks and what they exchange, made calls that the analyses understand."""
