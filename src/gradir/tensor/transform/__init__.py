"""Functions to their derivatives: forward mode, reverse mode, batches, and the request that asks for them."""
