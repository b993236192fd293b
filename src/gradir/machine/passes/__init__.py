"""What makes a module ready to be differentiated, one pass a file."""
