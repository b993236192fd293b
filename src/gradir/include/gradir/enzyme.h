/* The functions and markers that gradir replaces in C and C++ programs (Enzyme's names).
 *
 *   double square(double x) { return x * x; }
 *   double slope = __enzyme_autodiff((void *)square, 3.0);                    reverse mode: 6
 *   double slope = __enzyme_fwddiff((void *)square, enzyme_dup, 3.0, 1.0);    forward mode, tangent 1: 6
 *
 * Floats are enzyme_out (their derivatives are returned) in reverse mode and enzyme_dup in forward mode, pointers
 * are enzyme_dup (followed by a shadow), all else is enzyme_const; a marker before an argument says otherwise.
 *
 * The markers need no definition: no program that went through `gradir opt` refers to them any more. */
#ifndef GRADIR_ENZYME_H
#define GRADIR_ENZYME_H

extern int enzyme_dup;       /* value, shadow */
extern int enzyme_dupnoneed; /* value, shadow; what the function writes to the value is not needed */
extern int enzyme_dupv;      /* bytes between shadows, value, first shadow */
extern int enzyme_out;       /* float by value: its derivative is part of the result */
extern int enzyme_const;     /* value: carries no derivative */
extern int enzyme_width;     /* number n: n shadows for each value, n directions at once */
extern int enzyme_primal_return; /* the function's own result comes first in the result */
extern int enzyme_const_return;  /* the function's own result carries no derivative */
extern int enzyme_strong_zero;   /* a zero derivative stays zero, whatever it is multiplied by */
extern int enzyme_tape;          /* the tape, or memory for it */
extern int enzyme_allocated;     /* bytes of that memory */
extern int enzyme_nofree;        /* keep the tape: the reverse half is called again */
extern int enzyme_scalar;        /* __enzyme_batch: one value for all */
extern int enzyme_vector;        /* __enzyme_batch: a value for each */
extern int enzyme_buffer;        /* __enzyme_batch: bytes from one to the next, and the address of the first */
extern int enzyme_runtime_activity; /* a shadow that is the value itself says that it is constant */
extern int enzyme_interleave;    /* all shadows stand behind all arguments: they come now */
#ifdef __cplusplus
template <typename Result, typename... Arguments> Result __enzyme_autodiff(Arguments... function_and_arguments);
template <typename Result, typename... Arguments> Result __enzyme_fwddiff(Arguments... function_and_arguments);
template <typename Result, typename... Arguments> Result __enzyme_augmentfwd(Arguments... function_and_arguments);
template <typename Result, typename... Arguments> Result __enzyme_reverse(Arguments... function_and_arguments);
template <typename Result, typename... Arguments> Result __enzyme_batch(Arguments... function_and_arguments);
/* A pointer to memory whose words load(bytes, more...) reads and store(value, bytes, more...) writes: a sparse shadow. */
template <typename Pointer, typename... Arguments> Pointer __enzyme_todense(Arguments... load_store_and_more) noexcept;
#else
double __enzyme_autodiff(void *function, ...);
float __enzyme_autodiff_float(void *function, ...);
double __enzyme_fwddiff(void *function, ...);
float __enzyme_fwddiff_float(void *function, ...);
void *__enzyme_augmentfwd(void *function, ...);
double __enzyme_reverse(void *function, ...);
void *__enzyme_todense(void *load, void *store, ...);
#endif

#endif
