"""What is known of functions without a body: those that have no derivative, those that manage memory, pure ones.

A function that is inactive takes no part in the derivative: it is called where it stands, once, and its result and what
it writes are constants. What is not known here and has no body can't be differentiated without being told how.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Literal

from gradir.machine.ir import Function
from gradir.machine.rules.rule import rule_named

__all__ = ["Kind", "Known", "known"]

Kind = Literal["inactive", "allocate", "zero_allocate", "reallocate", "free", "copy", "set", "pure"]


@dataclass(frozen=True)
class Known:
    """One function. Operands are told by their numbers; None where there is no such operand."""

    kind: Kind
    size: tuple[int, ...] = ()
    """The operands whose product is the number of bytes that are allocated, copied or set."""
    pointer: int | None = None
    """What is freed, reallocated, copied to or set. Allocations are results."""
    source: int | None = None
    """What is copied from."""
    value: int | None = None
    """The byte that is set; zero where there is none."""
    free: str | None = None
    """What frees an allocation: called with the pointer, then the allocation's operands `free_operands`."""
    free_operands: tuple[int, ...] = ()
    data: int | None = None
    """Of an allocation that has a head of its own: at which byte of it the pointer to the data is."""
    writes: frozenset[int] = frozenset()
    """Of an inactive function: through which pointer operands it writes (constants)."""
    writes_from: int | None = None
    """From this operand on, it writes through all of them, as `scanf` does."""
    returns: int | None = None
    """The operand that is the result, as in `memcpy`."""

    @property
    def writes_nothing(self) -> bool:
        """Whether no memory that the program can see is changed."""
        return self.kind in ("inactive", "pure") and not self.writes and self.writes_from is None

    def may_write(self, operand: int) -> bool:
        """Whether it may write through this operand."""
        if self.kind == "inactive":
            return operand in self.writes or (self.writes_from is not None and operand >= self.writes_from)
        return self.kind in ("copy", "set", "reallocate", "free") and operand == self.pointer


def known(name: str, function: Function | None = None) -> Known | None:
    """What is known of the function; its declaration tells more than its name.

    >>> known("printf").writes_nothing, known("calloc").size, known("_Znwm").free
    (True, (0, 1), '_ZdlPv')
    >>> known("sscanf").may_write(2), known("_RNvCs5QPtLeU_7___rustc12___rust_alloc").free
    (True, '_RNvCs5QPtLeU_7___rustc14___rust_dealloc')
    >>> known("solve") is None
    True
    """
    found = _by_name(name)
    if found is None and function is not None:
        types = [a.type for a in function.arguments]
        if rule_named(name, types, function.result) is not None:
            return Known("pure")
        return _by_attributes(function)
    return found


@cache
def _by_name(name: str) -> Known | None:
    if name.startswith("llvm."):
        return _intrinsic(name)
    if found := _MEMORY.get(name):
        return found
    if m := _RUST_ALLOCATOR.fullmatch(name):
        return _rust(m[1], m[2])
    if name in _WRITERS:
        return _WRITERS[name]
    base = name.removeprefix("__isoc99_").removeprefix("__isoc23_").removesuffix("_unlocked")
    if base in _WRITERS:
        return _WRITERS[base]
    if name in _INACTIVE or base in _INACTIVE or _INACTIVE_FAMILIES.match(name):
        return Known("inactive")
    return None


def _by_attributes(function: Function) -> Known | None:
    """What LLVM's own attributes tell: an allocator says so, and what touches neither floats nor memory is inactive."""
    if said := function.attributes.value("allockind"):
        kinds = said.strip('"').split(",")
        size = function.attributes.value("allocsize")
        if "alloc" in kinds and size:
            operands = tuple(int(n) for n in size.split(","))
            return Known("zero_allocate" if "zeroed" in kinds else "allocate", size=operands)
        if "free" in kinds:
            pointers = [a.index for a in function.arguments if a.has("allocptr")] or [0]
            return Known("free", pointer=pointers[0])
    types = [function.result, *(a.type for a in function.arguments)]
    if function.has("memory(none)") and all(t.kind in ("int", "void") for t in types):
        return Known("inactive")
    return None


# -- memory -----------------------------------------------------------------------------------------------------------


def _allocators() -> dict[str, Known]:
    table = {
        "malloc": Known("allocate", size=(0,), free="free"),
        "calloc": Known("zero_allocate", size=(0, 1), free="free"),
        "realloc": Known("reallocate", size=(1,), pointer=0, free="free"),
        "reallocarray": Known("reallocate", size=(1, 2), pointer=0, free="free"),
        "valloc": Known("allocate", size=(0,), free="free"),
        "aligned_alloc": Known("allocate", size=(1,), free="free"),
        "memalign": Known("allocate", size=(1,), free="free"),
        "free": Known("free", pointer=0),
        "cfree": Known("free", pointer=0),
    }
    # C++: size_t is `unsigned long` or `unsigned int`; each with an alignment, with std::nothrow, or both.
    for size in "mj":
        for new, delete in (("_Znw", "_ZdlPv"), ("_Zna", "_ZdaPv")):
            for nothrow in ("", "RKSt9nothrow_t"):
                table[f"{new}{size}{nothrow}"] = Known("allocate", size=(0,), free=delete)
                aligned = f"{delete}St11align_val_t"
                table[f"{new}{size}St11align_val_t{nothrow}"] = Known(
                    "allocate", size=(0,), free=aligned, free_operands=(1,)
                )
            for sized in ("", size):
                for rest in ("", "St11align_val_t", "RKSt9nothrow_t", "St11align_val_tRKSt9nothrow_t"):
                    table[f"{delete}{sized}{rest}"] = Known("free", pointer=0)
    # Numba: a head with a reference count, and in it a pointer to the data.
    for name in ("NRT_MemInfo_alloc", "NRT_MemInfo_alloc_safe"):
        table[name] = Known("allocate", size=(0,), free="NRT_MemInfo_call_dtor", data=24)
        table[f"{name}_aligned"] = table[name]
    table["NRT_Allocate"] = Known("allocate", size=(0,), free="NRT_Free")
    table["NRT_Reallocate"] = Known("reallocate", size=(1,), pointer=0, free="NRT_Free")
    for name in ("NRT_Free", "NRT_MemInfo_call_dtor"):
        table[name] = Known("free", pointer=0)
    return table


def _copies() -> dict[str, Known]:
    table = {}
    for name in ("memcpy", "memmove", "__memcpy_chk", "__memmove_chk"):
        table[name] = Known("copy", size=(2,), pointer=0, source=1, returns=0)
    table["bcopy"] = Known("copy", size=(2,), pointer=1, source=0)
    for name in ("memset", "__memset_chk"):
        table[name] = Known("set", size=(2,), pointer=0, value=1, returns=0)
    for name in ("bzero", "explicit_bzero"):
        table[name] = Known("set", size=(1,), pointer=0)
    return table


_MEMORY = _allocators() | _copies()

# `__rust_alloc`, and as rustc since 1.87 spells it: inside the crate `__rustc`, with a hash.
_RUST_ALLOCATOR = re.compile(
    r"(_RNvC\w*?_7___rustc)?(?:\d+_)?__(rust_alloc|rust_alloc_zeroed|rust_realloc|rust_dealloc)"
)


def _rust(crate: str | None, what: str) -> Known:
    free = f"{crate}14___rust_dealloc" if crate else "__rust_dealloc"
    match what:
        case "rust_dealloc":
            return Known("free", pointer=0)
        case "rust_realloc":
            return Known("reallocate", size=(3,), pointer=0, free=free, free_operands=(3, 2))
        case _:
            kind: Kind = "zero_allocate" if what.endswith("zeroed") else "allocate"
            return Known(kind, size=(0,), free=free, free_operands=(0, 1))


# -- intrinsics -------------------------------------------------------------------------------------------------------

_INACTIVE_INTRINSICS = re.compile(
    r"llvm\.(?:dbg|lifetime|invariant|assume|expect|donothing|trap|debugtrap|ubsantrap|prefetch|objectsize|is\.constant"
    r"|is\.fpclass|ctpop|ctlz|cttz|bswap|bitreverse|fsh[lr]|[su](?:min|max|cmp|add|sub|mul|shl|div)|abs|vscale"
    r"|stepvector"
    r"|get\.|set\.|reset\.|fpto[su]i\.sat|l?lrint|l?lround|readcyclecounter|readsteadycounter|var\.annotation|eh\."
    r"|experimental\.noalias|experimental\.constrained\.(?:fcmps?|fpto[su]i)|sideeffect|pseudoprobe|codeview|instrprof"
    r"|experimental\.widenable|allow\.|fake\.use|vector\.reduce\.(?:add|mul|and|or|xor|[su](?:min|max))"
    r"|get\.active\.lane\.mask|type\.test|clear_cache|x86\.(?:rdtsc|sse2?\.(?:pause|[lms]fence)|sse\.sfence))(?:\.|$)"
    r"|llvm\.(?:dbg|lifetime|invariant|get|set|reset|eh|instrprof|allow)\."
)


def _intrinsic(name: str) -> Known | None:
    if re.match(r"llvm\.mem(?:cpy|move)\.", name):
        return Known("copy", size=(2,), pointer=0, source=1)
    if name.startswith("llvm.memset."):
        return Known("set", size=(2,), pointer=0, value=1)
    if name.startswith("llvm.x86.atomic."):  # of integers, such as a count of references
        return Known("inactive", writes=frozenset({0}))
    return Known("inactive") if _INACTIVE_INTRINSICS.match(name) else None


# -- inactive functions -----------------------------------------------------------------------------------------------


def _writers(table: dict[str, tuple[int, ...]], rest: dict[str, int]) -> dict[str, Known]:
    made = {
        n: Known("inactive", writes=frozenset(operands)) for names, operands in table.items() for n in names.split()
    }
    return made | {n: Known("inactive", writes_from=first) for names, first in rest.items() for n in names.split()}


_WRITERS = _writers(
    {
        "sprintf snprintf vsprintf vsnprintf __sprintf_chk __snprintf_chk __vsprintf_chk __vsnprintf_chk": (0,),
        "fread fgets gets fgetpos strcpy strncpy strcat strncat stpcpy __strcpy_chk __strcat_chk strerror_r getcwd": (
            0,
        ),
        "time ftime times gettimeofday getrusage localtime_r gmtime_r": (0,),
        "read pread recv clock_gettime clock_getres stat fstat strtol strtoul strtoll strtoull strtod strtof": (1,),
        "getline getdelim": (0, 1),
        "strtok sigaction rand_r srandom_r arc4random_buf getrandom getentropy": (0,),
        "omp_init_lock omp_destroy_lock omp_set_lock omp_unset_lock omp_test_lock": (0,),
        "pthread_mutex_init pthread_mutex_destroy pthread_mutex_lock pthread_mutex_trylock pthread_mutex_unlock": (0,),
        "__cxa_guard_acquire __cxa_guard_release __cxa_guard_abort": (0,),
        "__kmpc_for_static_init_4 __kmpc_for_static_init_4u __kmpc_for_static_init_8 __kmpc_for_static_init_8u": (
            3,
            4,
            5,
            6,
        ),
        "MPI_Comm_rank MPI_Comm_size MPI_Comm_dup MPI_Comm_split": (1, 3),
        "_FortranACpuTime _FortranARandomNumber": (0,),
        "_FortranAioInputInteger _FortranAioInputReal32 _FortranAioInputReal64 _FortranAioInputLogical": (1,),
        "_FortranAioInputComplex32 _FortranAioInputComplex64 _FortranAioInputAscii _FortranAioInputCharacter": (1,),
        "_ZNSirsERd _ZNSirsERf _ZNSirsERi _ZNSirsERl _ZNSirsERm _ZNSirsERj _ZNSirsERb": (1,),
    },
    {"scanf vscanf": 1, "fscanf sscanf vfscanf vsscanf": 2, "_FortranADateAndTime _FortranAGetCommandArgument": 0},
)


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


_INACTIVE = _names(
    """
    printf fprintf dprintf vprintf vfprintf vdprintf __printf_chk __fprintf_chk __vfprintf_chk puts putchar putc fputs
    fputc fwrite write fflush fopen fopen64 freopen fdopen fclose fseek fseeko ftell ftello rewind feof ferror clearerr
    fileno perror setvbuf setbuf open open64 close lseek remove rename tmpfile ungetc getc fgetc getchar getenv setenv
    putenv system popen pclose strerror wprintf fwprintf putwchar

    strlen strnlen strcmp strncmp strcasecmp strncasecmp strchr strrchr strstr strspn strcspn strpbrk strcoll memcmp
    bcmp memchr memrchr atoi atol atoll atof strdup strndup isalpha isdigit isalnum isspace isupper islower isprint
    ispunct iscntrl isxdigit toupper tolower __ctype_b_loc __ctype_tolower_loc __ctype_toupper_loc

    clock difftime mktime localtime gmtime asctime ctime strftime sleep usleep nanosleep rand srand random srandom
    drand48 erand48 lrand48 mrand48 srand48 arc4random arc4random_uniform

    abort exit _exit _Exit quick_exit atexit at_quick_exit __assert_fail __assert __assert_rtn __assert_func __assert2
    raise signal kill getpid getppid gettid sched_yield sysconf getpagesize gethostname __errno_location __error
    ___errno_location __stack_chk_fail __fortify_fail backtrace backtrace_symbols_fd __sanitizer_print_stack_trace

    isnan isnanf isnanl isinf isinff isinfl finite finitef finitel __isnan __isnanf __isinf __isinff __finite __finitef
    __fpclassify __fpclassifyf __fpclassifyl __signbit __signbitf __signbitl __issignaling nan nanf nanl feclearexcept
    feraiseexcept fetestexcept fegetround fesetround feenableexcept fedisableexcept feholdexcept fesetenv ilogb ilogbf
    ilogbl llogb lrint lrintf lrintl llrint llrintf llrintl lround lroundf lroundl llround llroundf llroundl abs labs
    llabs div ldiv

    pthread_self pthread_equal pthread_yield pthread_cond_signal pthread_cond_broadcast malloc_usable_size malloc_trim
    mlock munlock madvise __gxx_personality_v0 __gcc_personality_v0 rust_eh_personality rust_begin_unwind
    _Unwind_Resume _Unwind_RaiseException _Unwind_Backtrace _Unwind_GetIP __clang_call_terminate

    omp_set_num_threads omp_set_dynamic omp_set_nested omp_set_schedule __kmpc_global_thread_num __kmpc_barrier
    __kmpc_push_num_threads __kmpc_for_static_fini __kmpc_flush __kmpc_critical __kmpc_end_critical __kmpc_master
    __kmpc_end_master __kmpc_single __kmpc_end_single __kmpc_ok_to_fork GOMP_barrier

    MPI_Init MPI_Initialized MPI_Finalize MPI_Finalized MPI_Barrier MPI_Abort MPI_Wtime MPI_Wtick MPI_Comm_free
    MPI_Get_processor_name

    NRT_MemInfo_size NRT_MemInfo_refcount NRT_get_api numba_unpickle numba_raise_exception numba_gil_ensure
    numba_gil_release numba_do_raise numba_set_exception numba_print
    numba_runtime_build_excinfo_struct numba_unpickle_fields
    """
)

_INACTIVE_FAMILIES = re.compile(
    r"""(?x)
      __cxa_(?:allocate_exception|free_exception|throw|rethrow|begin_catch|end_catch|bad_\w+|pure_virtual|atexit
             |call_\w+|get_\w+|thread_atexit|deleted_virtual|throw_\w+)$
    | _ZSt\d+__throw_\w+                              # std::__throw_length_error and the others
    | _ZSt9terminatev$ | _ZSt17current_exceptionv$
    | _ZNK?St(?:\d+\w*(?:_error|exception)|9exception|9bad_alloc|8bad_cast|12bad_weak_ptr|13runtime_error|11logic_error)
    | _ZNSt(?:3__1)?\d*(?:6|8)ios_base | _ZNSt8ios_base | _ZNKSt5ctype | _ZNSt6locale | _ZNKSt6locale
    | _ZNSo | _ZNKSo | _ZStls | _ZSt4endl | _ZSt5flush | _ZSt4ends | _ZSt16__ostream_insert | _ZNSt9basic_ios
    | _ZNKSt9basic_ios | _ZNSt3__1(?:ls|4endl|13basic_ostream|24__put_character_sequence|9basic_ios|8ios_base)
    | _ZNSt3__113basic_ostream | _ZNKSt3__1(?:8ios_base|6locale)
    | _ZNSt13random_device | _ZNSt6chrono\w*3nowEv$ | _ZNSt3__16chrono\w*3nowEv$ | _ZNSt6thread\w*11get_idEv$
    | _ZNK?St7__cxx11(?:12basic_string|1[0-9]basic_\w*stringstream|1[0-9]basic_stringbuf)   # text is no number
    | _(?:ZN|RN[\w.]*C\w*?_?)(?:4core|3std|5alloc)\w*
        (?:panick|panic|3fmt|2io|7process|4time|9backtrace|handle_alloc_error|handle_error|capacity_overflow)
    | _RNvC\w*_7___rustc\w*(?:no_alloc_shim|alloc_error_handler|rust_begin_unwind|rust_start_panic|panic)
    | __rust_no_alloc_shim | __rust_alloc_error_handler | __rust_start_panic | __rust_panic_cleanup
    | _FortranAio(?!Input)                            # input is listed above: it writes
    | _FortranA(?:Stop|Program|Pause|FailImage|ReportFatal|Abort|Exit|SystemClock|RandomSeed|RandomInit|Sleep|GetPID)
    | _FortranA(?:CharacterCompare|LenTrim|Index|Scan|Verify|IsContiguous|Is(?:Finite|NaN)|Size|Lbound|Ubound|Selected)
    | _FortranA(?:Floor|Ceiling|Nint|Exponent)\d+_\d+$ | _FortranA(?:ArgumentCount|GetEnvVariable|GetCommand|Signal)
    | Py[A-Z]\w*_ | _Py[A-Z]\w*_ | Py_ | _Py_         # Python's own functions, as Numba calls them to raise errors
    | (?:\w*cblas_)?i[sdcz]am(?:ax|in)_?$ | xerbla_$ | cblas_xerbla$     # indices are no numbers either
    | omp_get_ | omp_in_ | omp_is_ | nvtx | MPI_Errhandler
    """
)
