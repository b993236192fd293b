"""Which bytes of memory hold floats, pointers or integers, and what tells so."""
