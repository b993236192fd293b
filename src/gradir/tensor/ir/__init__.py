"""StableHLO programs as MLIR holds them: modules, values with operators, readers of attributes, inlining, dead code."""
