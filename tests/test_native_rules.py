"""Rules for native functions: registered in C, or given from Python.

They are wrong on purpose, so that it shows who was asked.
"""

import numpy as np
import pytest

import gradir
from gradir.errors import GradirError, InputError, RequestError
from gradir.frontends.c import to_llvm
from gradir.machine.rules.elementary import cos, exp

FUNCTIONS = """
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
double f(double x) { return x * x; }
typedef struct { void *tape; double value; } Augmented;
Augmented f_augmented(double x) { return (Augmented){0, x * x}; }
double f_reverse(double x, double seed, void *tape) { return 20 * x * seed; }
double f_forward(double x, double dx) { return 20 * x * dx; }

double three(double x, double y, double z) { return x * y * z; }
typedef struct { double x, y, z; } Three;
Augmented three_augmented(double x, double y, double z) { return (Augmented){0, x * y * z}; }
Three three_reverse(double x, double y, double z, double seed, void *tape) { return (Three){seed, 2 * seed, 3 * seed}; }
double three_reverse_short(double x, double y, double z, double seed, void *tape) { return seed; }

float pair(float x, float y) { return x * y; }
typedef struct { float tape, value; } PairAugmented;
typedef struct { float x, y; } Pair;
PairAugmented pair_augmented(float x, float y) { return (PairAugmented){y, x * y}; }
Pair pair_reverse(float x, float y, float seed, float tape) { return (Pair){tape * seed * 2, x * seed * 3}; }

void fill(const double *in, double *out) { out[0] = in[0] * in[0]; }
void *fill_augmented(const double *in, double *d_in, double *out, double *d_out) {
  out[0] = in[0] * in[0];
  double *kept = malloc(sizeof(double));
  *kept = in[0];
  return kept;
}
void fill_reverse(const double *in, double *d_in, double *out, double *d_out, void *tape) {
  d_in[0] += 200 * *(double *)tape * d_out[0];
  d_out[0] = 0;
  free(tape);
}
double stopped(double x) { return x; }

double calls_f(double x) { return f(x) + x; }
double calls_three(double x) { return three(x, 2 * x, 5) * x; }
float calls_pair(float x) { return pair(x, 2 * x); }
double calls_fill(const double *in) { double out[1]; fill(in, out); return 3 * out[0]; }
double calls_stopped(double x) { return stopped(x) * x; }
void two(const double *x, double *y) { y[0] = f(x[0]) * x[1]; y[1] = three(x[0], x[1], f(x[1])); }
void two_by_memory(const double *x, double *y) { fill(x, y); y[1] = x[1]; }
"""
REGISTRATIONS = """
void *__enzyme_register_gradient_f[] = {(void *)f, (void *)f_augmented, (void *)f_reverse};
void *__enzyme_register_derivative_f[] = {(void *)f, (void *)f_forward};
void *__enzyme_register_gradient_three[] = {(void *)three, (void *)three_augmented, (void *)three_reverse};
void *__enzyme_register_gradient_pair[] = {(void *)pair, (void *)pair_augmented, (void *)pair_reverse};
void *__enzyme_register_gradient_fill[] = {(void *)fill, (void *)fill_augmented, (void *)fill_reverse};
void *__enzyme_inactivefn_stopped[] = {(void *)stopped};
"""


@pytest.fixture(scope="module")
def plain(tmp_path_factory):
    path = tmp_path_factory.mktemp("rules") / "functions.c"
    path.write_text(FUNCTIONS)
    return gradir.load(path)


@pytest.fixture(scope="module", params=["C", "Python"])
def ruled(request, plain, tmp_path_factory):
    if request.param == "C":
        path = tmp_path_factory.mktemp("rules") / "registered.c"
        path.write_text(FUNCTIONS + REGISTRATIONS)
        return gradir.load(path)
    m = plain.with_rule("f", augmented="f_augmented", reverse="f_reverse", forward="f_forward")
    for name in ("three", "pair", "fill"):
        m = m.with_rule(name, augmented=f"{name}_augmented", reverse=f"{name}_reverse")
    return m.with_inactive("stopped")


def test_reverse_rules(ruled):
    assert ruled.grad("calls_f")(3.0) == 61
    assert ruled.calls_f(3.0) == 12
    assert ruled.value_and_grad("calls_f")(3.0) == (12, 61)
    # three's own value is 10 x², times x: 10 x² + x (1 + 2 * 2)
    assert ruled.grad("calls_three")(3.0) == 10 * 9 + 3 * 5
    assert ruled.grad("calls_pair")(3.0) == 2 * 6 + 2 * 3 * 3
    assert ruled.grad("calls_fill")(np.array([2.0])) == [1200]


def test_forward_rules(ruled):
    assert ruled.jvp("calls_f")(3.0, 1.0) == (12, 61)
    with pytest.raises(GradirError, match="none for forward mode"):
        ruled.jvp("calls_three")(3.0, 1.0)


def test_of_the_function_itself(ruled):
    assert ruled.grad("f")(3.0) == 60
    assert ruled.jvp("f")(3.0, 1.0) == (9, 60)
    assert ruled.grad("three", wrt=("x", "y", "z"))(1.0, 2.0, 3.0) == (1, 2, 3)


def test_inactive(ruled, plain):
    assert ruled.grad("calls_stopped")(5.0) == 5
    assert ruled.jvp("calls_stopped")(5.0, 1.0) == (25, 5)
    assert plain.grad("calls_stopped")(5.0) == 10


def test_of_the_derivative(ruled):
    assert ruled.hessian("calls_f")(3.0) == 20


def test_the_module_without_is_as_it_was(ruled, plain):
    assert plain.grad("calls_f")(3.0) == 7


def test_saving(ruled, tmp_path):
    text = ruled.to_llvm([ruled.grad("calls_f")])
    assert "@grad_calls_f" in text
    ruled.save(tmp_path / "k.o", [ruled.grad("calls_f")], functions=["calls_f"])


OUTSIDE = "double outside(double x, int n, double y); double calls(const double *x) { return outside(x[0], 3, x[1]); }"


@pytest.fixture(scope="module")
def outside(tmp_path_factory):
    """A function without a body, in a library."""
    folder = tmp_path_factory.mktemp("outside")
    (folder / "library.c").write_text(
        "#include <math.h>\ndouble outside(double x, int n, double y) { return n * sin(x) * exp(y); }"
    )
    gradir.load(folder / "library.c").save(folder / "library.so")
    (folder / "calls.c").write_text(OUTSIDE)
    return gradir.load(folder / "calls.c", libraries=[str(folder / "library.so")])


def test_formulas(outside):
    x = np.array([0.4, 0.7])
    with pytest.raises(GradirError, match="no body"):
        outside.grad("calls")(x)

    def by_x(x, n, y):
        return 3.0 * cos(x) * exp(y)

    m = outside.with_rule("outside", partials=[by_x, None, lambda x, n, y, result: result])
    value = 3 * np.sin(0.4) * np.exp(0.7)
    expected = [3 * np.cos(0.4) * np.exp(0.7), value]
    assert m.calls(x) == pytest.approx(value)
    np.testing.assert_allclose(m.grad("calls")(x), expected)
    np.testing.assert_allclose(m.jacobian("calls", mode="forward", width=2)(x), expected)
    np.testing.assert_allclose(m.jacobian("calls", mode="reverse", width=2)(x), expected)
    a, b = expected
    np.testing.assert_allclose(m.hessian("calls")(x), [[-b, a], [a, b]])


def test_formulas_in_place_of_a_body(plain):
    m = plain.with_rule("f", partials=[lambda x: 7.0])
    assert m.grad("calls_f")(3.0) == 8
    assert m.grad("f")(3.0) == 7
    assert m.jvp("f")(3.0, 2.0) == (9, 14)


def test_several_directions(ruled):
    x, y = np.array([3.0, 5.0]), np.zeros(2)
    expected = [[20 * 3 * 5, 9], [1, 2 + 3 * 100]]
    for width in (1, 2):
        np.testing.assert_array_equal(ruled.jacobian("two", mode="reverse", width=width)(x, y), expected)
    # A rule that takes memory knows one direction: they are done one after the other.
    one = ruled.jacobian("two_by_memory", mode="reverse", width=1)(x, y)
    np.testing.assert_array_equal(ruled.jacobian("two_by_memory", mode="reverse", width=2)(x, y), one)


@pytest.mark.parametrize(
    ("error", "match", "say"),
    [
        (InputError, "neither defines nor calls", lambda m: m.with_rule("ff", forward="f_forward")),
        (InputError, "did you mean f_forward", lambda m: m.with_rule("f", forward="f_forwards")),
        (InputError, "neither defines nor calls", lambda m: m.with_inactive("nobody")),
        (RequestError, "two functions", lambda m: m.with_rule("f", reverse="f_reverse")),
        (RequestError, "no rule", lambda m: m.with_rule("f")),
        (RequestError, "both modes", lambda m: m.with_rule("f", forward="f_forward", partials=[None])),
        (RequestError, "1 arguments, 2 formulas", lambda m: m.with_rule("f", partials=[None, None])),
        (RequestError, "functions of numbers", lambda m: m.with_rule("fill", partials=[None, None])),
        (RequestError, "formula of 3 operands", lambda m: m.with_rule("f", partials=[lambda x, y, z: x])),
    ],
)
def test_what_is_no_rule(plain, error, match, say):
    with pytest.raises(error, match=match):
        say(plain)


def test_rules_that_do_not_fit(plain):
    m = plain.with_rule("f", augmented="f_augmented", reverse="f_forward")
    with pytest.raises(RequestError, match="takes 2 arguments, not 3"):
        m.grad("calls_f")(3.0)
    m = plain.with_rule("three", augmented="three_augmented", reverse="three_reverse_short")
    with pytest.raises(RequestError, match="cotangents of the floats that @three takes"):
        m.grad("calls_three")(3.0)


OF_OTHER_TYPES = """
double f(double x) { return x * x; }
typedef struct { void *tape; double value; } Augmented;
Augmented augmented(double x) { return (Augmented){0, x * x}; }
Augmented augmented_float(float x) { return (Augmented){0, x * x}; }
double reverse(double x, double seed, void *tape) { return x * seed; }
double reverse_float(double x, float seed, void *tape) { return x * seed; }
double reverse_number(double x, double seed, double tape) { return x * seed * tape; }
double forward_float(double x, float d_x) { return x * d_x; }
double calls_f(double x) { return f(x); }
"""


@pytest.mark.parametrize(
    ("match", "rule"),
    [
        ("@augmented_float of @f takes float as argument 1, not double", ("augmented_float", "reverse", None)),
        ("@reverse_float of @f takes float as argument 2, not double", ("augmented", "reverse_float", None)),
        ("@reverse_number of @f takes double as argument 3, not ptr", ("augmented", "reverse_number", None)),
        ("@forward_float takes float as argument 2, not double", (None, None, "forward_float")),
    ],
)
def test_rules_of_other_types(match, rule, tmp_path):
    """LLVM would call them all the same, with what happens to be in the registers."""
    augmented, reverse, forward = rule
    path = tmp_path / "rules.c"
    path.write_text(OF_OTHER_TYPES)
    module = gradir.load(path)
    m = module.with_rule("f", augmented=augmented, reverse=reverse, forward=forward)
    with pytest.raises(GradirError, match=match):
        (m.grad("calls_f")(3.0) if reverse else m.jvp("calls_f")(3.0, 1.0))


# -- Constant pointers ------------------------------------------------------------------------------------------------
# These rules are right, so that a derivative by one argument alone can be compared to that by all.

POINTERS = """
#include <stdlib.h>
double dot(const double *a, const double *b, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += a[i] * b[i];
  return s;
}
typedef struct { void *tape; double value; } Dot;
Dot dot_augmented(const double *a, double *d_a, const double *b, double *d_b, int n) { return (Dot){0, dot(a, b, n)}; }
void dot_reverse(const double *a, double *d_a, const double *b, double *d_b, int n, double seed, void *tape) {
  for (int i = 0; i < n; i++) { d_a[i] += seed * b[i]; d_b[i] += seed * a[i]; }
}
double dot_forward(const double *a, const double *d_a, const double *b, const double *d_b, int n) {
  return dot(d_a, b, n) + dot(a, d_b, n);
}
void *__enzyme_register_gradient_dot[] = {(void *)dot, (void *)dot_augmented, (void *)dot_reverse};
void *__enzyme_register_derivative_dot[] = {(void *)dot, (void *)dot_forward};

/* Not linear in b, and with indices, which have no derivative. */
void pick(const double *a, const double *b, const int *at, double *out, int n) {
  for (int i = 0; i < n; i++) out[i] = a[at[i]] * b[i] * b[i];
}
void *pick_augmented(const double *a, double *d_a, const double *b, double *d_b, const int *at, const int *d_at,
                     double *out, double *d_out, int n) {
  pick(a, b, at, out, n);
  return 0;
}
void pick_reverse(const double *a, double *d_a, const double *b, double *d_b, const int *at, const int *d_at,
                  double *out, double *d_out, int n, void *tape) {
  for (int i = 0; i < n; i++) {
    d_a[at[i]] += d_out[i] * b[i] * b[i];
    d_b[i] += 2 * d_out[i] * a[at[i]] * b[i];
    d_out[i] = 0;
  }
}
void pick_forward(const double *a, double *d_a, const double *b, double *d_b, const int *at, const int *d_at,
                  double *out, double *d_out, int n) {
  pick(a, b, at, out, n);
  for (int i = 0; i < n; i++) d_out[i] = d_a[at[i]] * b[i] * b[i] + 2 * a[at[i]] * b[i] * d_b[i];
}
void *__enzyme_register_gradient_pick[] = {(void *)pick, (void *)pick_augmented, (void *)pick_reverse};
void *__enzyme_register_derivative_pick[] = {(void *)pick, (void *)pick_forward};

double squared(const double *a, const double *b, int n) { double y = dot(a, b, n); return y * y; }
double with_itself(const double *a, const double *b, int n) { return dot(a, a, n) * b[0]; }
double in_a_loop(const double *a, const double *b, int n) {
  double s = 0;
  for (int i = 1; i <= n; i++) s += dot(a, b, i) * s * 0.1 + dot(b, b, i);
  return s;
}
static const double weights[4] = {0.5, -1, 2, 0.25};
double with_a_table(const double *a, const double *b, int n) { return dot(a, weights, n) * dot(weights, b, n); }
double with_a_local(const double *a, const double *b, int n) {
  double ones[4] = {1, 2, 3, 4}, *more = malloc(n * sizeof(double));
  for (int i = 0; i < n; i++) more[i] = i + b[i];
  double y = dot(a, ones, n) * dot(more, ones, n) * dot(a, more, n);
  free(more);
  return y;
}
__attribute__((noinline)) static double inner(const double *p, const double *q, int n) {
  return n > 1 ? inner(p, q, n - 1) * 0.5 + dot(p, q, n) : dot(p, q, n);
}
double further_down(const double *a, const double *b, int n) { return inner(a, b, n) * a[0]; }
double picked(const double *a, const double *b, int n) {
  int at[4] = {2, 0, 1, 0};
  double out[4] = {0, 0, 0, 0};
  pick(a, b, at, out, n);
  return out[0] * out[1] + out[2];
}
double picked_by(const double *a, const double *b, const int *at, int n) {
  double out[4] = {0, 0, 0, 0};
  pick(a, b, at, out, n);
  return out[0] * out[1] + out[2];
}
"""
TAKING_TWO = ["squared", "with_itself", "in_a_loop", "with_a_table", "with_a_local", "further_down", "picked"]


@pytest.fixture(scope="module", params=[[], ["-O0"]])
def pointers(request, tmp_path_factory):
    path = tmp_path_factory.mktemp("rules") / "pointers.c"
    path.write_text(POINTERS)
    return gradir.load(path, flags=request.param)


A, B = np.array([1.5, -0.5, 2.0]), np.array([0.75, 3.0, -1.25])


@pytest.mark.parametrize("name", TAKING_TWO)
def test_by_one_argument_alone(pointers, name):
    a, b = A.copy(), B.copy()
    both = pointers.grad(name, wrt=("a", "b"))(a, b, 3)
    for wrt, expected in zip(("a", "b"), both, strict=True):
        assert np.allclose(pointers.grad(name, wrt=wrt)(a, b, 3), expected, rtol=1e-12)
        tangents = [pointers.jvp(name, wrt=wrt)(a, b, 3, e)[1] for e in np.eye(3)]
        assert np.allclose(tangents, expected, rtol=1e-12)
    assert np.array_equal(a, A) and np.array_equal(b, B), "what is constant was written"
    h = 1e-6  # differences of numbers of order 10 with 16 digits
    numeric = [(pointers[name](A + e, B, 3) - pointers[name](A - e, B, 3)) / (2 * h) for e in h * np.eye(3)]
    assert np.allclose(both[0], numeric, rtol=1e-6, atol=1e-6)


def test_indices_are_their_own_shadow(pointers):
    at = np.array([2, 0, 1], np.int32)
    by_value = pointers.grad("picked", wrt="a")(A, B, 3)
    assert np.allclose(pointers.grad("picked_by", wrt="a")(A, B, at, 3), by_value, rtol=1e-12)
    assert np.allclose(
        pointers.jvp("picked_by", wrt="b")(A, B, at, 3, np.ones(3))[1],
        pointers.grad("picked", wrt="b")(A, B, 3).sum(),
        rtol=1e-12,
    )
    assert at.tolist() == [2, 0, 1]


def test_a_saved_derivative_takes_the_shadow_that_its_rule_writes_to(pointers, tmp_path):
    from gradir.machine.transform.derive import Program
    from gradir.request import Activity, Mode, Request

    engine = pointers.squared._engine
    program = engine.program("squared", False)
    assert isinstance(program, Program)
    for mode in (Mode.reverse, Mode.forward):
        ret = Activity.active if mode is Mode.reverse else Activity.dup
        request = Request("squared", mode, (Activity.dup, Activity.const, Activity.const), (ret,))
        with pytest.raises(RequestError, match=r"argument 1 \(b\).* rule of @dot takes its shadow"):
            program.derivative(request)


CONSTANT_FROM_C = """
double __enzyme_autodiff(void *, ...);
extern int enzyme_dup, enzyme_const;
double by_first(const double *a, double *da, const double *b, int n) {
  return __enzyme_autodiff((void *)squared, enzyme_dup, a, da, enzyme_const, b, n);
}
"""


def test_from_c_it_is_refused_by_name(tmp_path):
    from gradir.machine.enzyme import lower_text

    path = tmp_path / "constant.c"
    path.write_text(POINTERS + CONSTANT_FROM_C)
    with pytest.raises(RequestError, match="the rule of @dot takes its shadow"):
        lower_text(str(to_llvm(path)))


MARKED = """
define internal double @square(double %x) { %y = fmul double %x, %x ret double %y }
define double @f(double %x) {
  %constant = call double @square(double %x) "enzyme_inactive"
  %y = call double @square(double %x)
  %made = fmul double %constant, %y
  ret double %made
}
define double @g(double %x) {
  %constant = fmul double %x, %x, !enzyme_inactive !0
  %made = fmul double %constant, %x
  ret double %made
}
!0 = !{}
"""


def test_single_calls_that_carry_no_derivative(tmp_path):
    source = tmp_path / "marked.ll"
    source.write_text(MARKED)
    m = gradir.load(source)
    assert m.f(3.0) == 81
    assert m.grad("f")(3.0) == 9 * 2 * 3
    assert m.jvp("f")(3.0, 1.0) == (81, 9 * 2 * 3)


def test_numbers_that_carry_no_derivative(tmp_path):
    source = tmp_path / "marked.ll"
    source.write_text(MARKED)
    m = gradir.load(source)
    assert m.g(3.0) == 27
    assert m.grad("g")(3.0) == 9
    assert m.hessian("g")(3.0) == 0
    source = tmp_path / "ignored.c"
    declared = "double __enzyme_ignore_derivatives(double);"
    source.write_text(f"{declared} double f(double x) {{ return x * __enzyme_ignore_derivatives(x * x); }}")
    m = gradir.load(source)
    assert m.f(3.0) == 27
    assert m.value_and_grad("f")(3.0) == (27, 9)


PASSED = """
@table = global [2 x ptr] [ptr @scaled, ptr @other]
define internal fastcc double @fast(double %x, i8 %c) noinline {
  %w = zext i8 %c to i64
  %d = sitofp i64 %w to double
  %r = fmul double %x, %d
  ret double %r
}
define double @scaled(double %x, i8 zeroext %c) noinline {
  %w = zext i8 %c to i64
  %d = sitofp i64 %w to double
  %r = fmul double %x, %d
  ret double %r
}
define double @other(double %x, i8 zeroext %c) noinline { ret double %x }
define double @copied(double %x, ptr byval(double) %q) noinline {
  %y = load double, ptr %q
  %z = fmul double %x, %y
  ret double %z
}
define double @by_fastcc(double %x, i32 %n) {
  %c = trunc i32 %n to i8
  %a = call fastcc double @fast(double %x, i8 %c) "enzyme_inactive"
  %r = fmul double %a, %x
  ret double %r
}
define double @by_address(double %x, i32 %n) {
  %c = trunc i32 %n to i8
  %k = lshr i32 %n, 31
  %kk = zext i32 %k to i64
  %p = getelementptr ptr, ptr @table, i64 %kk
  %fp = load ptr, ptr %p
  %a = call double %fp(double %x, i8 zeroext %c) "enzyme_inactive"
  %r = fmul double %a, %x
  ret double %r
}
define double @by_value(double %x, i32 %n) {
  %s = alloca double
  store double %x, ptr %s
  %a = call double @copied(double %x, ptr byval(double) %s) "enzyme_inactive"
  %r = fmul double %a, %x
  ret double %r
}
"""


@pytest.mark.parametrize("name, constant", [("by_fastcc", 3 * 44), ("by_address", 3 * 44), ("by_value", 9)])
def test_marked_calls_pass_what_they_take_as_before(tmp_path, name, constant):
    source = tmp_path / "passed.ll"
    source.write_text(PASSED)
    m = gradir.load(source)
    assert m[name](3.0, 300) == 3 * constant  # of 300 eight bits are 44
    assert m.value_and_grad(name, wrt="x")(3.0, 300) == (3 * constant, constant)
