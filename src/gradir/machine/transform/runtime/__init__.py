"""Functions that derivatives call, written in LLVM: arenas, tapes of teams, grids and threads."""
