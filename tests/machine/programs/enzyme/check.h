/* Prints a number beside what it must be; the test compares them. */
#include <stdio.h>
static void check(const char *what, double got, double want) { printf("%s %.17g %.17g\n", what, got, want); }
