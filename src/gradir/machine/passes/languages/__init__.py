"""What one language's compilers write: arguments by value, objects, texts, variable arguments."""
