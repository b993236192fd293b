/* All that library.c has in one precision. */

#include "complex.h"
#include "blas.h"
#include "lapack.h"
#include "spectra.h"
#include "lapacke.h"
#include "flang.h"
#include "numba.h"
