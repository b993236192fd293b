/* Rules whose tapes are structs: C passes them by address, in two registers, or packed in one. */
#include "check.h"
#include <string.h>

double __enzyme_autodiff(void *, ...);

#define RULED(name, ...)                                                                                      \
  typedef struct { __VA_ARGS__; } name##_tape;                                                                \
  typedef struct { name##_tape tape; double result; } name##_augmented;                                       \
  __attribute__((noinline)) double name(double x) { return x * x; }                                           \
  name##_augmented name##_forward(double x) {                                                                 \
    name##_augmented made = {{0}, x * x};                                                                     \
    made.tape.first = x;                                                                                      \
    made.tape.last = 8 * x;                                                                                   \
    return made;                                                                                              \
  }                                                                                                           \
  double name##_reverse(double x, double seed, name##_tape tape) { return seed * (10 * tape.first + tape.last); } \
  void *__enzyme_register_gradient_##name[] = {name, name##_forward, name##_reverse};                         \
  double twice_##name(double x) { return name(name(x)); }

RULED(long_one, double first; char text[20]; double last)
RULED(two_words, double first, last)
RULED(mixed, long first; double last)
RULED(floats, float first, last)
RULED(three_floats, float first; float between; float last)
RULED(small, int first; float last)

#define CHECK(name) check(#name, __enzyme_autodiff((void *)twice_##name, 2.0), 18 * 4 * 18 * 2)

int main(void) {
  CHECK(long_one);
  CHECK(two_words);
  CHECK(mixed);
  CHECK(floats);
  CHECK(three_floats);
  CHECK(small);
  return 0;
}
