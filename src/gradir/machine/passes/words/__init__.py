"""Words of memory made to say what they hold: bytes, lanes, packed and torn floats, one pass a file."""
