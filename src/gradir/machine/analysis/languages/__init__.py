"""What one language's programs tell: Fortran's types, Rust's trait objects and what it prints, texts."""
