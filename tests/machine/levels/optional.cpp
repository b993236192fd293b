// Results that may not be there: their first byte is that of "nothing", too.
#include <array>
#include <cmath>
#include <optional>
#include <vector>

template <int N> struct Square {
    std::array<double, N * N> a{};
    double& operator()(int i, int j) { return a[i * N + j]; }
    double operator()(int i, int j) const { return a[i * N + j]; }
};

template <int N> std::optional<Square<N>> factor(const Square<N>& m) {
    Square<N> l;
    for (int i = 0; i < N; i++)
        for (int j = 0; j <= i; j++) {
            double s = m(i, j);
            for (int k = 0; k < j; k++) s -= l(i, k) * l(j, k);
            if (i == j && s <= 0) return std::nullopt;
            l(i, j) = i == j ? std::sqrt(s) : s / l(j, j);
        }
    return l;
}

template <int N> Square<N> grown(const double *x, int shift) {
    Square<N> m;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) m(i, j) = (i == j ? 4 + x[(i + shift) % 6] : 0) + 0.1 * x[i] * x[j];
    return m;
}

extern "C" double factors(const double *x, int n)
{
    std::vector<Square<3>> kept(n);
    for (int k = 0; k < n; k++) {
        auto found = factor(grown<3>(x, k));
        if (!found) return 0;
        kept[k] = *found;
    }
    double s = 0;
    for (int k = 0; k < n; k++) s += (k + 1) * kept[k](2, 2) * kept[k](1, 0) + kept[k](0, 0);
    return s;
}

struct Hit { double t, normal[2]; };

static std::optional<Hit> meet(double c, double r) {
    double d = r * r - c * c;
    if (d < 0) return std::nullopt;
    return Hit{c - std::sqrt(d), {c / r, d}};
}

extern "C" double nearest(const double *x, int n)
{
    std::optional<Hit> best;
    for (int k = 0; k < n; k++) {
        auto hit = meet(0.3 * x[k], x[(k + 1) % n]);
        if (hit && (!best || hit->t < best->t)) best = hit;
    }
    return best ? best->t * best->normal[0] + std::sin(best->normal[1]) : x[0];
}

extern "C" double nested(const double *x, int n)
{
    struct Step { Hit hit; int count; };
    std::optional<Step> last;
    double s = 0;
    for (int k = 0; k < n; k++) {
        if (last) s += last->hit.t * last->count;
        if (auto hit = meet(0.2 * x[k], x[k])) last = Step{*hit, k};
        else last.reset();
    }
    return s + (last ? last->hit.normal[1] : 0);
}
