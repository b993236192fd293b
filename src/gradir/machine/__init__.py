"""The machine level: LLVM IR in, derivative LLVM IR out."""
