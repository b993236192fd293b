"""What is known of a function before it is differentiated. Each analysis is a file of its own; `report` prints them."""
