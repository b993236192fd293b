"""LLVM's text, read and written: the only place that knows it."""
