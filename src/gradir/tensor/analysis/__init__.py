"""What is known of a program: what varies, what values can be, how often loops run, what ops cost, what to keep."""
