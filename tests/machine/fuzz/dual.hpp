// Dual numbers: a value and its derivative, for any scalar, another dual number included. The oracle of the fuzzers.
//
// Comparisons go by value. Where a decision hangs on values that are (nearly) equal but have different derivatives,
// the derivative is not defined, or a rounding decides: `ties` counts that, and such a run is not judged.
#pragma once
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <type_traits>

inline long ties = 0;

template <class S> struct Dual {
    S v, d;
    Dual() = default;
    template <class A, std::enable_if_t<std::is_arithmetic_v<A>, int> = 0> Dual(A a) : v(a), d(0) {}
    Dual(S value, S derivative) : v(value), d(derivative) {}
    template <class R, std::enable_if_t<!std::is_same_v<R, S>, int> = 0>
    explicit Dual(const Dual<R> &o) : v(S(o.v)), d(S(o.d)) {}
    explicit operator int() const;
    explicit operator long() const { return (long)(int)*this; }
    Dual &operator+=(Dual o) { return *this = *this + o; }
    Dual &operator-=(Dual o) { return *this = *this - o; }
    Dual &operator*=(Dual o) { return *this = *this * o; }
    Dual &operator/=(Dual o) { return *this = *this / o; }
    friend Dual operator+(Dual a, Dual b) { return {a.v + b.v, a.d + b.d}; }
    friend Dual operator-(Dual a, Dual b) { return {a.v - b.v, a.d - b.d}; }
    friend Dual operator*(Dual a, Dual b) { return {a.v * b.v, a.d * b.v + a.v * b.d}; }
    friend Dual operator/(Dual a, Dual b) { return {a.v / b.v, (a.d - a.v / b.v * b.d) / b.v}; }
    friend Dual operator-(Dual a) { return {-a.v, -a.d}; }
    friend bool operator<(Dual a, Dual b) { return tied(a, b), a.v < b.v; }
    friend bool operator>(Dual a, Dual b) { return tied(a, b), a.v > b.v; }
    friend bool operator<=(Dual a, Dual b) { return tied(a, b), a.v <= b.v; }
    friend bool operator>=(Dual a, Dual b) { return tied(a, b), a.v >= b.v; }
    friend bool operator==(Dual a, Dual b) { return tied(a, b), a.v == b.v; }
    friend bool operator!=(Dual a, Dual b) { return tied(a, b), a.v != b.v; }
};

// The innermost value, and how far apart two of them must be for a decision to be certain.
inline double value(double x) { return x; }
template <class S> double value(Dual<S> x) { return value(x.v); }
inline double certain(double) { return 1e-9; }
inline double certain(float) { return 1e-4; }
inline double certain(long double) { return 1e-9; }
template <class S> double certain(Dual<S> x) { return certain(x.v); }

template <class S> bool same(const S &a, const S &b) { return std::memcmp(&a, &b, sizeof a) == 0; }
inline bool same(long double a, long double b) { return a == b; }
template <class S> bool same(Dual<S> a, Dual<S> b) { return same(a.v, b.v) && same(a.d, b.d); }

template <class S> void tied(Dual<S> a, Dual<S> b) {
    if (!same(a, b) && !(std::fabs(value(a) - value(b)) > certain(a)))
        ties++;
}

template <class S> Dual<S>::operator int() const {
    double x = value(*this);
    if (!(std::fabs(x - std::nearbyint(x)) > certain(*this)))
        ties++;
    return (int)x;
}

// clang-format off
#define UNARY(name, derivative)                                                                                        \
    template <class S> Dual<S> name(Dual<S> a) {                                                                \
        using namespace std;                                                                                           \
        const S x = a.v, y = name(x);                                                                                  \
        (void)y;                                                                                                       \
        return {y, a.d * (derivative)};                                                                                \
    }
UNARY(sin, cos(x))
UNARY(cos, -sin(x))
UNARY(tan, S(1) + y * y)
UNARY(asin, S(1) / sqrt(S(1) - x * x))
UNARY(atan, S(1) / (S(1) + x * x))
UNARY(sinh, cosh(x))
UNARY(cosh, sinh(x))
UNARY(tanh, S(1) - y * y)
UNARY(asinh, S(1) / sqrt(S(1) + x * x))
UNARY(exp, y)
UNARY(exp2, y * S(0.693147180559945309417232121458))
UNARY(expm1, y + S(1))
UNARY(log, S(1) / x)
UNARY(log1p, S(1) / (S(1) + x))
UNARY(log2, S(1.44269504088896340735992468100) / x)
UNARY(sqrt, S(0.5) / y)
UNARY(cbrt, S(1) / (S(3) * y * y))
UNARY(erf, S(1.12837916709551257389615890312) * exp(-x * x))
#undef UNARY
// clang-format on

template <class S> Dual<S> fabs(Dual<S> a) { return a < Dual<S>(0) ? -a : a; }
template <class S> Dual<S> fmax(Dual<S> a, Dual<S> b) { return a < b ? b : a; }
template <class S> Dual<S> fmin(Dual<S> a, Dual<S> b) { return a < b ? a : b; }
template <class S> Dual<S> copysign(Dual<S> a, Dual<S> b) {
    return (a < Dual<S>(0)) == (b < Dual<S>(0)) ? a : -a;
}
template <class S> Dual<S> fma(Dual<S> a, Dual<S> b, Dual<S> c) { return a * b + c; }
template <class S> Dual<S> hypot(Dual<S> a, Dual<S> b) { return sqrt(a * a + b * b); }
template <class S> Dual<S> pow(Dual<S> a, Dual<S> b) { return exp(b * log(a)); }
template <class S> Dual<S> floor(Dual<S> a) {
    double x = value(a);
    if (!(std::fabs(x - std::nearbyint(x)) > certain(a)))
        ties++;
    return Dual<S>(std::floor(x));
}
template <class S> Dual<S> atan2(Dual<S> a, Dual<S> b) {
    using namespace std;
    const S r = a.v * a.v + b.v * b.v;
    return {atan2(a.v, b.v), (a.d * b.v - b.d * a.v) / r};
}
template <class S> Dual<S> ldexp(Dual<S> a, int e) { return a * Dual<S>(std::ldexp(1.0, e)); }

template <class S> Dual<S> sinf(Dual<S> a) { return sin(a); }
template <class S> Dual<S> tanhf(Dual<S> a) { return tanh(a); }
template <class S> Dual<S> sqrtf(Dual<S> a) { return sqrt(a); }
template <class S> Dual<S> expf(Dual<S> a) { return exp(a); }
template <class S> Dual<S> sinl(Dual<S> a) { return sin(a); }
template <class S> Dual<S> sqrtl(Dual<S> a) { return sqrt(a); }
