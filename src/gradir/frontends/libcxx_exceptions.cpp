// Constructors of the standard exceptions that libc++'s headers leave to its library, and that the C++ library of a
// Python process (GNU's) has inline, or for strings of its own. The exceptions themselves are the process's.
#include <string>

// A constructor of C++ is one function for whole objects and one for parts of others.
#define OF_STRING(n, name)                                                                                       \
  extern "C" void name##_of_text(void *, const char *) __asm__("_ZNSt" #n #name "C2EPKc");                       \
  void name##_whole(void *, const std::string &) __asm__(                                                        \
      "_ZNSt" #n #name "C1ERKNSt3__112basic_stringIcNS0_11char_traitsIcEENS0_9allocatorIcEEEE");                 \
  void name##_part(void *, const std::string &) __asm__(                                                         \
      "_ZNSt" #n #name "C2ERKNSt3__112basic_stringIcNS0_11char_traitsIcEENS0_9allocatorIcEEEE");                 \
  void name##_whole(void *made, const std::string &said) { name##_of_text(made, said.c_str()); }                 \
  void name##_part(void *made, const std::string &said) { name##_of_text(made, said.c_str()); }

OF_STRING(11, logic_error)
OF_STRING(13, runtime_error)

// What has nothing to say is a pointer to a table of functions, which begins behind two words.
#define SILENT(n, name)                                                                                          \
  extern "C" const void *const name##_table[] __asm__("_ZTVSt" #n #name);                                        \
  void name##_whole(void *) __asm__("_ZNSt" #n #name "C1Ev");                                                    \
  void name##_part(void *) __asm__("_ZNSt" #n #name "C2Ev");                                                     \
  void name##_whole(void *made) { *static_cast<const void *const **>(made) = name##_table + 2; }                 \
  void name##_part(void *made) { *static_cast<const void *const **>(made) = name##_table + 2; }

SILENT(9, bad_alloc)
SILENT(20, bad_array_new_length)
SILENT(8, bad_cast)
SILENT(10, bad_typeid)
