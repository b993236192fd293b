/* What custom.c calls without seeing. */
#include <math.h>
#include <stdlib.h>
double my_logarithm(double x) { return log(x); }
void *my_allocate(size_t bytes) { return malloc(bytes); }
void my_release(void *memory) { free(memory); }
