// Bundle adjustment: cameras with distortion look at points; rotations as vectors of axis and angle, residuals behind a robust
// loss, blocks of Jacobians by hand-written dual numbers, normal equations reduced to the cameras by Schur's complement, blocks
// factored by Cholesky, steps after Levenberg and Marquardt. The numbers are the cameras' and what was measured.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iostream>
#include <memory>
#include <optional>
#include <vector>

// -- small matrices ---------------------------------------------------------------------------------------------------

template <int R, int C>
struct Matrix {
    std::array<double, R * C> a{};
    double& operator()(int r, int c) { return a[r * C + c]; }
    double operator()(int r, int c) const { return a[r * C + c]; }
    Matrix& operator+=(const Matrix& o) {
        for (int k = 0; k < R * C; k++) a[k] += o.a[k];
        return *this;
    }
    Matrix& operator-=(const Matrix& o) {
        for (int k = 0; k < R * C; k++) a[k] -= o.a[k];
        return *this;
    }
    Matrix<C, R> transposed() const {
        Matrix<C, R> t;
        for (int r = 0; r < R; r++)
            for (int c = 0; c < C; c++) t(c, r) = (*this)(r, c);
        return t;
    }
};

template <int R, int K, int C>
Matrix<R, C> operator*(const Matrix<R, K>& x, const Matrix<K, C>& y) {
    Matrix<R, C> z;
    for (int r = 0; r < R; r++)
        for (int k = 0; k < K; k++)
            for (int c = 0; c < C; c++) z(r, c) += x(r, k) * y(k, c);
    return z;
}

template <int R, int C>
Matrix<R, C> operator*(double s, Matrix<R, C> m) {
    for (double& v : m.a) v *= s;
    return m;
}

// The inverse of a small symmetric matrix, by Cholesky's factors; nothing if it is not positive.
template <int N>
std::optional<Matrix<N, N>> inverse(const Matrix<N, N>& m) {
    Matrix<N, N> l, x;
    for (int r = 0; r < N; r++)
        for (int c = 0; c <= r; c++) {
            double sum = m(r, c);
            for (int k = 0; k < c; k++) sum -= l(r, k) * l(c, k);
            if (r == c) {
                if (sum <= 0) return std::nullopt;
                l(r, r) = std::sqrt(sum);
            } else {
                l(r, c) = sum / l(c, c);
            }
        }
    for (int c = 0; c < N; c++) {
        for (int r = 0; r < N; r++) {
            double sum = r == c ? 1 : 0;
            for (int k = 0; k < r; k++) sum -= l(r, k) * x(k, c);
            x(r, c) = sum / l(r, r);
        }
        for (int r = N - 1; r >= 0; r--) {
            double sum = x(r, c);
            for (int k = r + 1; k < N; k++) sum -= l(k, r) * x(k, c);
            x(r, c) = sum / l(r, r);
        }
    }
    return x;
}

// -- dual numbers -------------------------------------------------------------------------------------------------------

template <int N>
struct Dual {
    double value;
    std::array<double, N> slope{};
    Dual(double v = 0) : value(v) {}
    static Dual variable(double v, int k) {
        Dual d(v);
        d.slope[k] = 1;
        return d;
    }
};
template <int N, class F>
Dual<N> combined(const Dual<N>& a, const Dual<N>& b, double value, F slope) {
    Dual<N> d(value);
    for (int k = 0; k < N; k++) d.slope[k] = slope(a.slope[k], b.slope[k]);
    return d;
}
template <int N> Dual<N> operator+(const Dual<N>& a, const Dual<N>& b) {
    return combined(a, b, a.value + b.value, [](double p, double q) { return p + q; });
}
template <int N> Dual<N> operator-(const Dual<N>& a, const Dual<N>& b) {
    return combined(a, b, a.value - b.value, [](double p, double q) { return p - q; });
}
template <int N> Dual<N> operator*(const Dual<N>& a, const Dual<N>& b) {
    return combined(a, b, a.value * b.value, [&](double p, double q) { return p * b.value + a.value * q; });
}
template <int N> Dual<N> operator/(const Dual<N>& a, const Dual<N>& b) {
    double v = a.value / b.value;
    return combined(a, b, v, [&](double p, double q) { return (p - v * q) / b.value; });
}
template <int N> Dual<N> chained(const Dual<N>& a, double value, double slope) {
    return combined(a, a, value, [=](double p, double) { return slope * p; });
}
template <int N> Dual<N> sqrt(const Dual<N>& a) { double r = std::sqrt(a.value); return chained(a, r, 0.5 / r); }
template <int N> Dual<N> sin(const Dual<N>& a) { return chained(a, std::sin(a.value), std::cos(a.value)); }
template <int N> Dual<N> cos(const Dual<N>& a) { return chained(a, std::cos(a.value), -std::sin(a.value)); }

// -- cameras --------------------------------------------------------------------------------------------------------------

constexpr int CAMERA = 8, POINT = 3;
using Camera = std::array<double, CAMERA>;  // rotation, translation, focal length, distortion
using Point = std::array<double, POINT>;

struct Observation {
    std::size_t camera, point;
    double u, v, weight;
};

template <class T>
std::array<T, 3> rotated(const std::array<T, 3>& w, const std::array<T, 3>& p) {
    using std::cos, std::sin, std::sqrt;
    T angle = sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2] + T(1e-12)), c = cos(angle), s = sin(angle);
    std::array<T, 3> k{w[0] / angle, w[1] / angle, w[2] / angle};
    T along = (k[0] * p[0] + k[1] * p[1] + k[2] * p[2]) * (T(1) - c);
    return {p[0] * c + (k[1] * p[2] - k[2] * p[1]) * s + k[0] * along, p[1] * c + (k[2] * p[0] - k[0] * p[2]) * s + k[1] * along,
            p[2] * c + (k[0] * p[1] - k[1] * p[0]) * s + k[2] * along};
}

template <class T>
std::array<T, 2> projected(const std::array<T, CAMERA>& c, const std::array<T, POINT>& p) {
    auto q = rotated<T>({c[0], c[1], c[2]}, p);
    T z = q[2] + c[5], x = (q[0] + c[3]) / z, y = (q[1] + c[4]) / z, r2 = x * x + y * y, scale = c[6] * (T(1) + c[7] * r2);
    return {x * scale, y * scale};
}

// -- the problem ------------------------------------------------------------------------------------------------------------

class Problem {
public:
    std::vector<Camera> cameras;
    std::vector<Point> points;
    std::vector<Observation> observations;
    std::function<std::pair<double, double>(double)> loss;  // of a squared residual: itself and its slope

    double cost() const {
        double sum = 0;
        for (const auto& o : observations) {
            auto at = projected<double>(cameras[o.camera], points[o.point]);
            double du = at[0] - o.u, dv = at[1] - o.v;
            sum += 0.5 * o.weight * loss(du * du + dv * dv).first;
        }
        return sum;
    }

    // One step; the cost after it, and whether it was taken.
    std::pair<double, bool> step(double damping) {
        const std::size_t nc = cameras.size(), np = points.size();
        std::vector<Matrix<CAMERA, CAMERA>> u(nc);
        std::vector<Matrix<POINT, POINT>> v(np);
        std::vector<Matrix<CAMERA, POINT>> w(nc * np);
        std::vector<Matrix<CAMERA, 1>> bc(nc);
        std::vector<Matrix<POINT, 1>> bp(np);
        for (const auto& o : observations) {
            auto [j, e] = linearised(o);
            Matrix<2, CAMERA> jc;
            Matrix<2, POINT> jp;
            for (int r = 0; r < 2; r++) {
                for (int k = 0; k < CAMERA; k++) jc(r, k) = j(r, k);
                for (int k = 0; k < POINT; k++) jp(r, k) = j(r, CAMERA + k);
            }
            u[o.camera] += jc.transposed() * jc, v[o.point] += jp.transposed() * jp;
            w[o.camera * np + o.point] += jc.transposed() * jp;
            bc[o.camera] -= jc.transposed() * e, bp[o.point] -= jp.transposed() * e;
        }
        for (auto& m : u) for (int k = 0; k < CAMERA; k++) m(k, k) = m(k, k) * (1 + damping) + 1e-2;
        std::vector<Matrix<POINT, POINT>> inverted(np);
        for (std::size_t p = 0; p < np; p++) {
            for (int k = 0; k < POINT; k++) v[p](k, k) = v[p](k, k) * (1 + damping) + 1e-3;
            auto found = inverse(v[p]);
            if (!found) return {cost(), false};
            inverted[p] = *found;
        }
        auto dc = cameras_step(u, w, bc, bp, inverted);
        auto before = *this;
        for (std::size_t c = 0; c < nc; c++)
            for (int k = 0; k < CAMERA; k++) cameras[c][k] += dc[c](k, 0);
        for (std::size_t p = 0; p < np; p++) {
            auto right = bp[p];
            for (std::size_t c = 0; c < nc; c++) right -= w[c * np + p].transposed() * dc[c];
            auto dp = inverted[p] * right;
            for (int k = 0; k < POINT; k++) points[p][k] += dp(k, 0);
        }
        double now = cost();
        if (now < before.cost()) return {now, true};
        cameras = before.cameras, points = before.points;
        return {cost(), false};
    }

private:
    std::pair<Matrix<2, CAMERA + POINT>, Matrix<2, 1>> linearised(const Observation& o) const {
        using D = Dual<CAMERA + POINT>;
        std::array<D, CAMERA> c;
        std::array<D, POINT> p;
        for (int k = 0; k < CAMERA; k++) c[k] = D::variable(cameras[o.camera][k], k);
        for (int k = 0; k < POINT; k++) p[k] = D::variable(points[o.point][k], CAMERA + k);
        auto at = projected<D>(c, p);
        double du = at[0].value - o.u, dv = at[1].value - o.v, root = std::sqrt(o.weight * loss(du * du + dv * dv).second);
        Matrix<2, CAMERA + POINT> j;
        Matrix<2, 1> e;
        for (int r = 0; r < 2; r++)
            for (int k = 0; k < CAMERA + POINT; k++) j(r, k) = root * at[r].slope[k];
        e(0, 0) = root * du, e(1, 0) = root * dv;
        return {j, e};
    }

    // The cameras' part, by relaxation over blocks of what Schur's complement leaves.
    std::vector<Matrix<CAMERA, 1>> cameras_step(const std::vector<Matrix<CAMERA, CAMERA>>& u, const std::vector<Matrix<CAMERA, POINT>>& w,
                                                const std::vector<Matrix<CAMERA, 1>>& bc, const std::vector<Matrix<POINT, 1>>& bp,
                                                const std::vector<Matrix<POINT, POINT>>& inverted) const {
        const std::size_t nc = cameras.size(), np = points.size();
        std::vector<Matrix<CAMERA, 1>> right = bc, x(nc);
        for (std::size_t c = 0; c < nc; c++)
            for (std::size_t p = 0; p < np; p++) right[c] -= w[c * np + p] * (inverted[p] * bp[p]);
        for (int turn = 0; turn < 4; turn++)
            for (std::size_t c = 0; c < nc; c++) {
                auto rest = right[c];
                auto block = u[c];
                for (std::size_t p = 0; p < np; p++) {
                    auto wi = w[c * np + p] * inverted[p];
                    block -= wi * w[c * np + p].transposed();
                    for (std::size_t o = 0; o < nc; o++)
                        if (o != c) rest += wi * (w[o * np + p].transposed() * x[o]);
                }
                if (auto found = inverse(block)) x[c] = *found * rest;
            }
        return x;
    }
};

extern "C" double bundle_adjustment(const double* x, int n) {
    Problem problem;
    double huber = 0.05 + 0.05 * x[n - 1];
    problem.loss = [huber](double s) {
        if (s <= huber * huber) return std::make_pair(s, 1.0);
        double r = std::sqrt(s);
        return std::make_pair(2 * huber * r - huber * huber, huber / r);
    };
    for (int c = 0; c < 2; c++)
        problem.cameras.push_back({0.1 * x[0], 0.2 * c, 0.05 * x[1], 0.1 * c, 0.05 * x[2], 3 + x[3], 1 + 0.2 * x[4 + c], 0.05 * x[6]});
    for (int p = 0; p < 5; p++)
        problem.points.push_back({std::sin(1.3 * p), std::cos(2.1 * p) * x[7], 0.3 * std::sin(4.1 * p) + 0.1 * x[8]});
    for (std::size_t c = 0; c < 2; c++)
        for (std::size_t p = 0; p < 5; p++) {
            auto at = projected<double>(problem.cameras[c], problem.points[p]);
            double noise = 0.03 * std::sin(7.0 * (c * 5 + p) + 1);
            problem.observations.push_back({c, p, at[0] + noise * x[9], at[1] - noise * x[10] + 0.01, p % 2 ? 1.0 : 0.5 + x[9]});
        }
    for (auto& p : problem.points) p[2] += 0.05;
    double damping = 1e-2, total = problem.cost();
    for (int k = 0; k < 2; k++) {
        auto [cost, taken] = problem.step(damping);
        damping = taken ? damping / 3 : damping * 4;
        total += 10 * cost;
        if (!taken) std::clog << "a step was not taken\n";
    }
    for (const auto& c : problem.cameras) total += c[0] + c[5] * c[6] + c[7];
    return total;
}
