"""What functions of the usual libraries do with the memory that they are passed: a table, by name.

These functions have no body here and no derivative: what they give and write are constants. A line of the table tells
names, then one letter for each operand (`...`: the last one holds for all that follow), then what the result is:

    .    nothing; it is a number, or the address of something that only the library looks at
    r    it reads there
    i    it writes integers or text there, and nothing that could have a derivative
    n    it writes one number there, of the type that lies there
    w    it writes numbers there, in an amount that isn't known; `w=1*#`: as many bytes as operand 1 times the result
    p    it writes a pointer there: to memory that it was passed, or to memory of its own
    t    it writes a pointer there: into the text that operand 0 points to
    k    as i, and it keeps the address: later calls of other functions may write there as well, and where a pointer
         that it put there leads to
    d    it changes an object of the library (text, a stream, a list), and whatever is reached from there
    m    as d, but it only rearranges pointers: done to the shadows as well, that gives the shadows of what it made

    > 0      the result points to where operand 0 does
    > new    the result points to memory that nobody else has
    > own    the result points to memory of the library's, which may change with each call
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Literal, NamedTuple

__all__ = ["RESULT", "STREAMS", "Operand", "Operands", "is_of_exceptions", "operands_of", "throws_or_catches"]

STREAMS = frozenset(["stdin", "stdout", "stderr", "__stdinp", "__stdoutp", "__stderrp"])
"""The C library's variables that point to files."""

RESULT = -1
"""Where operands are told by their numbers: the result."""

Way = Literal[".", "r", "i", "n", "w", "p", "t", "k", "d", "m"]


class Operand(NamedTuple):
    """What a function does with what an operand points to; `size` are the operands whose product is the bytes."""

    way: Way = "."
    size: tuple[int, ...] = ()

    @property
    def writes(self) -> bool:
        return self.way not in (".", "r")


_NOTHING = Operand()


@dataclass(frozen=True)
class Operands:
    """What a function does with each of its operands, and what its result is."""

    each: tuple[Operand, ...] = ()
    rest: Operand = _NOTHING
    result: int | Literal["new", "own"] | None = None

    def __getitem__(self, n: int) -> Operand:
        return self.each[n] if n < len(self.each) else self.rest


@cache
def operands_of(name: str) -> Operands | None:
    """What a function that is known to be inactive does with its operands; None if nothing is known of it.

    >>> operands_of("strcpy")[0].way, operands_of("strcpy").result
    ('i', 0)
    >>> operands_of("sscanf")[7].way, operands_of("fread")[0].size
    ('n', (1, -1))
    >>> operands_of("solve") is None
    True
    """
    for spelling in _spellings(name):
        if spelling in _BY_NAME:
            return _BY_NAME[spelling]
    for family, operands in _BY_FAMILY:
        if family.match(name):
            return operands
    return None


def _spellings(name: str) -> tuple[str, ...]:
    """A name as glibc may have it: with a standard in front, or without its lock."""
    plain = name.removeprefix("__isoc99_").removeprefix("__isoc23_").removesuffix("_unlocked")
    return (name, plain)


def _read(text: str) -> Operands:
    """
    >>> _read("i r... > 0")
    Operands(each=(Operand(way='i', size=()),), rest=Operand(way='r', size=()), result=0)
    """
    letters, _, result = text.partition(">")
    each, rest = [], _NOTHING
    for word in letters.split():
        way, _, size = word.removesuffix("...").partition("=")
        operand = Operand(way, tuple(RESULT if n == "#" else int(n) for n in size.split("*") if n))  # type: ignore[arg-type]
        if word.endswith("..."):
            rest = operand
        else:
            each.append(operand)
    where = result.strip()
    return Operands(tuple(each), rest, int(where) if where.isdigit() else where or None)  # type: ignore[arg-type]


def _table(text: str) -> dict[str, Operands]:
    found = {}
    for line in text.strip().splitlines():
        names, _, letters = line.partition(":")
        found.update(dict.fromkeys(names.split(), _read(letters)))
    return found


_LIBC = """
printf vprintf perror puts putchar putwchar wprintf remove rename setenv putenv system getenv_r:             r...
fprintf vfprintf dprintf vdprintf fwprintf:                                                                . r...
__printf_chk __vprintf_chk:                                                                                . r...
__fprintf_chk __vfprintf_chk __dprintf_chk:                                                              . . r...
fputs fwrite putc fputc ungetc putw:                                                                       r . . .
write pwrite send:                                                                                         . r . .
fopen fopen64 fdopen popen tmpfile freopen:                                                                r r . > own
fmemopen:                                                                                                  k . r > own
open_memstream open_wmemstream:                                                                            k k > own
fclose fflush fseek fseeko ftell ftello rewind feof ferror clearerr fileno pclose getc fgetc getchar:      . . .
open open64 close lseek mlock munlock madvise malloc_trim malloc_usable_size:                              . . .
setvbuf setbuf:                                                                                            . k . .
sprintf vsprintf:                                                                                          i r...
snprintf vsnprintf swprintf:                                                                             i . r...
__sprintf_chk __vsprintf_chk:                                                                          i . . r...
__snprintf_chk __vsnprintf_chk:                                                                      i . . . r...
scanf:                                                                                                     r n...
fscanf:                                                                                                  . r n...
sscanf:                                                                                                  r r n...
vscanf vfscanf vsscanf:                                                                                    r d...
fread:                                                                                                     w=1*# . . .
__fread_chk:                                                                                               w=2*# . . . .
read pread recv:                                                                                           . w=# . .
__read_chk:                                                                                                . w=# . .
getrandom:                                                                                                 w=# . .
getentropy arc4random_buf:                                                                                 w=1 . .
fgets gets __fgets_chk:                                                                                    i . . . > 0
fgetpos:                                                                                                   . i
fsetpos:                                                                                                   . r
getline getdelim:                                                                                          p i . .
getcwd:                                                                                                    i . > 0

strlen strnlen atoi atol atoll atof strhash:                                                               r .
strcmp strncmp strcasecmp strncasecmp strcoll memcmp bcmp strspn strcspn:                                  r r .
strchr strrchr memchr memrchr rawmemchr:                                                                   r . . > 0
strstr strpbrk strcasestr memmem:                                                                          r r r . > 0
strcpy strncpy strcat strncat __strcpy_chk __strncpy_chk __strcat_chk __strncat_chk:                       i r . . > 0
stpcpy stpncpy __stpcpy_chk strlcpy strlcat:                                                               i r . . > 0
strxfrm:                                                                                                   i r .
strdup strndup __strdup __strndup:                                                                         r . > new
strtok:                                                                                                    i r > 0
strtok_r __strtok_r:                                                                                       i r p > 0
strsep:                                                                                                    p r > own
strerror:                                                                                                  . > own
strerror_r __xpg_strerror_r:                                                                               . i . > 1
strtol strtoul strtoll strtoull strtod strtof strtold strtoimax strtoumax:                                 r t .
isalpha isdigit isalnum isspace isupper islower isprint ispunct iscntrl isxdigit isgraph isblank:          .
toupper tolower:                                                                                           .
__ctype_b_loc __ctype_tolower_loc __ctype_toupper_loc __errno_location __error ___errno_location:          > own

time ftime times:                                                                                          i
gettimeofday getrusage:                                                                                    i i
clock difftime sleep usleep:                                                                               . .
nanosleep:                                                                                                 r i
clock_gettime clock_getres timespec_get:                                                                   . i
stat fstat lstat:                                                                                          r i
mktime timegm:                                                                                             i
localtime gmtime asctime ctime:                                                                            r > own
localtime_r gmtime_r asctime_r ctime_r:                                                                    r i > 1
strftime:                                                                                                  i . r r

rand srand random srandom drand48 lrand48 mrand48 srand48 arc4random arc4random_uniform:                   .
rand_r erand48 nrand48 jrand48 seed48 srandom_r:                                                           i i
random_r drand48_r lrand48_r:                                                                              i n
initstate setstate:                                                                                        . i . > own

abort exit _exit _Exit quick_exit raise kill getpid getppid gettid sched_yield sysconf getpagesize:        . .
atexit at_quick_exit signal:                                                                               . .
sigaction:                                                                                                 . r i
getenv secure_getenv setlocale nl_langinfo localeconv:                                                     . r > own
gethostname:                                                                                               i .
__assert_fail __assert __assert_rtn __assert_func __assert2 __stack_chk_fail __fortify_fail __chk_fail:    r...
backtrace:                                                                                                 i .
backtrace_symbols_fd __sanitizer_print_stack_trace:                                                        r . .

isnan isnanf isnanl isinf isinff isinfl finite finitef finitel __isnan __isnanf __isinf __isinff:          .
__finite __finitef __fpclassify __fpclassifyf __fpclassifyl __signbit __signbitf __signbitl __issignaling: .
nan nanf nanl:                                                                                             r
feclearexcept feraiseexcept fetestexcept fegetround fesetround feenableexcept fedisableexcept:             .
feholdexcept fegetenv fegetexceptflag:                                                                     i .
fesetenv feupdateenv fesetexceptflag:                                                                      r .
ilogb ilogbf ilogbl llogb lrint lrintf lrintl llrint llrintf llrintl lround lroundf lroundl:               .
llround llroundf llroundl abs labs llabs div ldiv:                                                         . .
"""

_THREADS = """
pthread_self pthread_equal pthread_yield:                                                                  . .
pthread_mutex_init pthread_mutex_destroy pthread_mutex_lock pthread_mutex_trylock pthread_mutex_unlock:    i r
pthread_rwlock_rdlock pthread_rwlock_wrlock pthread_rwlock_unlock pthread_spin_lock pthread_spin_unlock:   i
pthread_cond_init pthread_cond_signal pthread_cond_broadcast pthread_cond_destroy:                         i r
pthread_mutexattr_init pthread_mutexattr_destroy pthread_mutexattr_settype:                                i .
pthread_attr_init pthread_attr_destroy pthread_attr_setdetachstate pthread_attr_setstacksize:              i .
pthread_attr_setscope pthread_attr_setguardsize pthread_attr_setinheritsched:                              i .
pthread_spin_init pthread_spin_destroy:                                                                    i .
sem_init sem_post sem_destroy:                                                                             i . .
omp_init_lock omp_destroy_lock omp_set_lock omp_unset_lock omp_test_lock:                                  i
omp_init_nest_lock omp_destroy_nest_lock omp_set_nest_lock omp_unset_nest_lock:                            i
omp_set_num_threads omp_set_dynamic omp_set_nested omp_set_schedule omp_set_max_active_levels:             . .
__kmpc_global_thread_num __kmpc_barrier __kmpc_push_num_threads __kmpc_for_static_fini __kmpc_flush:       . . .
__kmpc_critical __kmpc_critical_with_hint __kmpc_end_critical:                                             . . i .
__kmpc_master __kmpc_end_master __kmpc_single __kmpc_end_single __kmpc_ok_to_fork GOMP_barrier:            . .
__kmpc_masked __kmpc_end_masked __kmpc_ordered __kmpc_end_ordered __kmpc_push_proc_bind:                   . . .
__kmpc_serialized_parallel __kmpc_end_serialized_parallel:                                                 . .
__kmpc_for_static_init_4 __kmpc_for_static_init_4u __kmpc_for_static_init_8 __kmpc_for_static_init_8u: . . . i i i i . .
__kmpc_dispatch_init_4 __kmpc_dispatch_init_4u __kmpc_dispatch_init_8 __kmpc_dispatch_init_8u:             . . . . . . .
__kmpc_dispatch_next_4 __kmpc_dispatch_next_4u __kmpc_dispatch_next_8 __kmpc_dispatch_next_8u:             . . i i i i
__kmpc_dispatch_fini_4 __kmpc_dispatch_fini_4u __kmpc_dispatch_fini_8 __kmpc_dispatch_fini_8u:             . .
__kmpc_dispatch_deinit:                                                                                    . .
llvm.nvvm.barrier.cta.sync.aligned.all llvm.nvvm.barrier0 llvm.nvvm.bar.warp.sync:                         .
llvm.nvvm.membar.gl llvm.nvvm.membar.cta llvm.nvvm.membar.sys:                                             .
"""

_MPI = """
MPI_Init MPI_Init_thread:                                                                                  d d . i
MPI_Initialized MPI_Finalized MPI_Query_thread MPI_Is_thread_main:                                         i
MPI_Finalize MPI_Barrier MPI_Abort MPI_Wtime MPI_Wtick MPI_Pcontrol:                                       . .
MPI_Comm_free MPI_Type_free MPI_Type_commit MPI_Op_free MPI_Group_free MPI_Info_free MPI_Info_create:      i
MPI_Comm_rank MPI_Comm_size MPI_Comm_remote_size MPI_Comm_dup MPI_Comm_group MPI_Comm_test_inter:          . i
MPI_Comm_create MPI_Comm_compare:                                                                          . . i
MPI_Comm_split MPI_Comm_create_group:                                                                      . . . i
MPI_Comm_split_type:                                                                                       . . . . i
MPI_Comm_set_name:                                                                                         . r
MPI_Comm_get_name:                                                                                         . i i
MPI_Comm_get_attr:                                                                                         . . p i
MPI_Group_rank MPI_Group_size:                                                                             . i
MPI_Group_incl MPI_Group_excl:                                                                             . . r i
MPI_Group_translate_ranks:                                                                                 . . r . i
MPI_Cart_create:                                                                                           . . r r . i
MPI_Cart_coords:                                                                                           . . . i
MPI_Cart_shift:                                                                                            . . . i i
MPI_Cart_rank MPI_Cart_sub:                                                                                . r i
MPI_Cart_get:                                                                                              . . i i i
MPI_Cartdim_get:                                                                                           . i
MPI_Dims_create:                                                                                           . . i
MPI_Type_contiguous:                                                                                       . . i
MPI_Type_vector MPI_Type_create_hvector:                                                                   . . . . i
MPI_Type_indexed MPI_Type_create_hindexed:                                                                 . r r . i
MPI_Type_create_indexed_block MPI_Type_create_hindexed_block:                                              . . r . i
MPI_Type_create_struct:                                                                                    . r r r i
MPI_Type_create_subarray:                                                                                  . r r r . . i
MPI_Type_create_resized:                                                                                   . . . i
MPI_Type_dup MPI_Type_size:                                                                                . i
MPI_Type_get_extent MPI_Type_get_true_extent:                                                              . i i
MPI_Get_address:                                                                                           . i
MPI_Get_count MPI_Get_elements:                                                                            r . i
MPI_Op_create:                                                                                             . . i
MPI_Buffer_attach:                                                                                         . .
MPI_Buffer_detach:                                                                                         p i
MPI_Error_string MPI_Get_processor_name MPI_Get_version MPI_Get_library_version:                           i i i
MPI_Error_class:                                                                                           . i
MPI_Comm_set_errhandler:                                                                                   . .
MPI_Info_set:                                                                                              . r r
MPI_Comm_get_parent:                                                                                       i
MPI_Comm_remote_group MPI_Topo_test MPI_Type_extent MPI_Type_lb MPI_Type_ub MPI_Address:                   . i
MPI_Group_union MPI_Group_intersection MPI_Group_difference MPI_Group_compare:                             . . i
MPI_Type_set_name:                                                                                         . r
MPI_Type_get_name:                                                                                         . i i
MPI_Type_hvector:                                                                                          . . . . i
MPI_Type_hindexed:                                                                                         . r r . i
MPI_Type_struct:                                                                                           . r r r i
MPI_Attr_get:                                                                                              . . p i
MPI_Test_cancelled:                                                                                        r i
"""

_CXX = """
__gxx_personality_v0 __gcc_personality_v0 rust_eh_personality rust_begin_unwind _Unwind_Resume:            .
_Unwind_RaiseException _Unwind_Backtrace _Unwind_GetIP __clang_call_terminate:                             . . .
__cxa_guard_acquire __cxa_guard_release __cxa_guard_abort:                                                 i
__cxa_allocate_exception:                                                                                  . > new
__cxa_begin_catch __cxa_get_exception_ptr:                                                                 r > 0
__cxa_get_globals __cxa_get_globals_fast __cxa_current_exception_type __cxa_demangle:                      . . . . > own
__dynamic_cast:                                                                                            r r r . > 0
_ZNSirsERd _ZNSirsERf _ZNSirsERe:                                                                          d n > 0
_ZNSirsERi _ZNSirsERl _ZNSirsERm _ZNSirsERj _ZNSirsERb _ZNSirsERs _ZNSirsERt _ZNSirsERx _ZNSirsERy:        d i > 0
_ZNSi10_M_extractIdEERSiRT_ _ZNSi10_M_extractIfEERSiRT_ _ZNSi10_M_extractIeEERSiRT_:                       d n > 0
_ZNSi4readEPcl:                                                                                            d w . > 0
_ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base _ZSt18_Rb_tree_incrementPKSt18_Rb_tree_node_base:          m > 0
_ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base _ZSt18_Rb_tree_decrementPKSt18_Rb_tree_node_base:          m > 0
_ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_:                                         . m m m
_ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_:                                              m m > 0
_ZNSt8__detail15_List_node_base7_M_hookEPS0_ _ZNSt8__detail15_List_node_base4swapERS0_S1_:                 m m
_ZNSt8__detail15_List_node_base9_M_unhookEv _ZNSt8__detail15_List_node_base10_M_reverseEv:                 m
_ZNSt8__detail15_List_node_base11_M_transferEPS0_S1_:                                                      m m m
_ZNKSt8__detail20_Prime_rehash_policy14_M_need_rehashEmmm:                                                 i . . .
_ZNKSt8__detail20_Prime_rehash_policy11_M_next_bktEm:                                                      i .
_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE9_M_createERmm:                                       d i .
_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE4swapERS4_:                                           d d
_ZSt11_Hash_bytesPKvmm _ZSt15_Fnv_hash_bytesPKvmm:                                                         r . .
_ZNSt9exceptionD2Ev _ZNSt9exceptionD1Ev:                                                                   i
"""

_RUNTIMES = """
NRT_MemInfo_size NRT_MemInfo_refcount numba_gil_ensure numba_gil_release numba_raise_exception:            r
NRT_get_api:                                                                                               > own
numba_unpickle numba_unpickle_fields numba_do_raise numba_set_exception numba_print:                       r... > own
numba_runtime_build_excinfo_struct:                                                                        r... > own
_FortranACpuTime:                                                                                          n
_FortranARandomNumber:                                                                                     w r .
_FortranAioInputReal32 _FortranAioInputReal64:                                                             d n
_FortranAioInputComplex32 _FortranAioInputComplex64 _FortranAioInputDescriptor _FortranAioInputDerivedType: d w...
_FortranAioInputInteger _FortranAioInputLogical _FortranAioInputAscii _FortranAioInputCharacter:           d i...
_FortranADateAndTime _FortranAGetCommandArgument _FortranAGetEnvVariable _FortranAGetCommand:              d...
_FortranASystemClock _FortranASystemClockCount:                                                            i...
"""

_BY_NAME = {name: what for part in (_LIBC, _THREADS, _MPI, _CXX, _RUNTIMES) for name, what in _table(part).items()}

_EXCEPTIONS = r"_ZNK?St(?:3__1)?\d+(?:\w*(?:_error|exception)|bad_\w+|out_of_range|invalid_argument)(?=[CDa4])"
"""The members of exceptions of the library: they make and destroy a text, and tell it."""

_FAMILIES = [
    # C++: what throws doesn't come back; text, streams and locales are objects of the library.
    (r"__cxa_(?:free_exception|throw|rethrow|end_catch|bad_\w+|pure_virtual|atexit|call_\w+|thread_atexit"
     r"|deleted_virtual|throw_\w+)$", "r..."),
    (r"_ZSt\d+__throw_\w+|_ZNSt3__1\d+__throw_\w+|_ZNSt3__122__libcpp_verbose_abort|_ZSt9terminatev$"
     r"|_ZSt21__glibcxx_assert_failPKciS0_S0_$|_ZSt17current_exceptionv$", "r..."),
    (_EXCEPTIONS, "d r... > own"),
    (r"_ZNK?St15__exception_ptr", "d r... > own"),
    (r"_ZNSt(?:3__1)?\d*(?:6|8)ios_base|_ZNSt8ios_base|_ZNKSt5ctype|_ZNSt6locale|_ZNKSt6locale|_ZNSo|_ZNKSo|_ZStls"
     r"|_ZSt4endl|_ZSt5flush|_ZSt4ends|_ZSt16__ostream_insert|_ZNK?St9basic_ios"
     r"|_ZNSt3__1(?:ls|4endl|13basic_ostream|24__put_character_sequence|9basic_ios|8ios_base)"
     r"|_ZNKSt3__1(?:8ios_base|6locale)", "d r..."),
    (r"_ZNSi(?!rs|10_M_ext|4read)|_ZNKSi|_ZSt7getline|_ZSt2ws|_ZStrs|_ZNSt3__1(?:13basic_istream|7getline|rs)", "d..."),
    (r"_ZNSt13random_device|_ZNK?St(?:7__cxx1112basic_string|3__112basic_string)"
     r"|_ZNK?St7__cxx111[0-9]basic_(?:\w*stringstream|stringbuf)|_ZNSt7__cxx11\d+to_string|_ZN9__gnu_cxx12__to_xstring|_ZNSt3__19to_string"
     r"|_ZNKSs|_ZNSs", "d r..."),
    (r"_ZNSt6chrono\w*3nowEv$|_ZNSt3__16chrono\w*3nowEv$|_ZNSt6thread\w*11get_idEv$|_ZNSaI[cw]E", "."),
    (r"gradir\d*\.what", "r > own"),
    # Rust: what panics doesn't come back; what formats writes text.
    (r"_(?:ZN|RN[\w.]*C\w*?_?)(?:4core|3std|5alloc)\w*(?:panick|panic|handle_alloc_error|handle_error"
     r"|capacity_overflow|9backtrace|7process)", "r..."),
    (r"_(?:ZN|RN[\w.]*C\w*?_?)(?:3std)\w*2io5stdio\w*(?:_print|_eprint)", "r..."),
    (r"_(?:ZN|RN[\w.]*C\w*?_?)(?:5alloc)\w*3fmt6format", "d r"),
    (r"_(?:ZN|RN[\w.]*C\w*?_?)(?:4core)\w*?3fmt5write", "d r..."),
    (r"_(?:ZN|RN[\w.]*C\w*?_?)(?:4core)\w*4sort6stable5drift11sqrt_approx", "."),
    (r"_(?:ZN|RN[\w.]*C\w*?_?)(?:4core|3std|5alloc)\w*(?:3fmt|2io|4time)", "d..."),
    (r"_(?:ZN|RN[\w.]*C\w*?_?)(?:3std)\w*hashmap_random_keys", "."),
    (r"_(?:ZN|RN[\w.]*C\w*?_?)(?:3std)\w*4sync\w*5futex", "i"),
    (r"_RNvC\w*_7___rustc\w*(?:no_alloc_shim|alloc_error_handler|rust_begin_unwind|rust_start_panic|panic)", "."),
    (r"__rust_no_alloc_shim|__rust_alloc_error_handler|__rust_start_panic|__rust_panic_cleanup", "."),
    # Fortran: a statement of input or output is begun with its text, which later calls then read or write.
    (r"_FortranAioBegin", "d... > 0"),
    (r"_FortranAio(?!Input)", "d r..."),
    (r"_FortranA(?:Stop|Program|Pause|FailImage|ReportFatal|Abort|Exit|RandomSeed|RandomInit|Sleep|GetPID|Signal)",
     "r..."),
    (r"_FortranA(?:CharacterCompare|LenTrim|Index|Scan|Verify|IsContiguous|Is(?:Finite|NaN)|Size|Lbound|Ubound"
     r"|Selected|ArgumentCount|ClassIs|SameTypeAs|ExtendsTypeOf)", "r..."),
    (r"_FortranA(?:Floor|Ceiling|Nint|Exponent)\d+_\d+$", "."),
    # MPI from Fortran: by address alone, and what is written are integers.
    (r"mpi_(?:init|init_thread|initialized|finalized|finalize|barrier|abort|wtime|wtick|query_thread|is_thread_main"
     r"|comm_\w+|group_\w+|cart_\w+|cartdim_get|dims_create|type_\w+|op_create|op_free"
     r"|get_(?:count|elements|processor_name|version|library_version|address)|error_\w+|errhandler_\w+|info_\w+"
     r"|buffer_attach)_$", "i..."),
    # Python's own functions, as Numba calls them to raise errors.
    (r"Py[A-Z]\w*_|_Py[A-Z]\w*_|Py_|_Py_", "r... > own"),
    (r"(?:\w*cblas_)?i[sdcz]am(?:ax|in)_?$", "r..."),
    (r"xerbla_$|cblas_xerbla$|omp_get_|omp_in_|omp_is_|nvtx|MPI_Errhandler", "r..."),
]  # fmt: skip

_BY_FAMILY = [(re.compile(pattern), _read(letters)) for pattern, letters in _FAMILIES]
_OF_EXCEPTIONS = re.compile(_EXCEPTIONS)
_THROWING = re.compile(r"__cxa_(?:throw|rethrow|end_catch)$|_ZN?St(?:3__1)?\d+(?:__throw_|rethrow_exception)")


def is_of_exceptions(name: str) -> bool:
    """Whether a function is a member of an exception of the library.

    >>> is_of_exceptions("_ZNSt13runtime_errorC1EPKc"), is_of_exceptions("_ZNSt6vectorIdSaIdEEC1Ev")
    (True, False)
    """
    return _OF_EXCEPTIONS.match(name) is not None


def throws_or_catches(name: str) -> bool:
    """Whether a function of the library throws, or ends a catch.

    >>> [throws_or_catches(name) for name in ("__cxa_throw", "_ZSt24__throw_out_of_range_fmtPKcz", "f")]
    [True, True, False]
    """
    return _THROWING.match(name) is not None
