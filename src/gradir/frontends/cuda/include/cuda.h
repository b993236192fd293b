#include "gradir_cuda.h"
