"""Who else may read or write memory meanwhile: threads of a grid, of a team, of their own."""
