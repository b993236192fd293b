"""Random JAX programs, their derivatives, and what they ought to give: see `run.py`."""
