// Finite elements in the plane: elements and quadrature as template parameters, materials behind an interface, a mesh with
// loads and supports, assembly into rows of sparse entries, conjugate gradients with a preconditioner, Newton's method for large
// deformations, stresses and a compliance. The numbers are the material's, the shape of the domain and the load.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

using Vec2 = std::array<double, 2>;
using Mat2 = std::array<std::array<double, 2>, 2>;

static double det(const Mat2& m) { return m[0][0] * m[1][1] - m[0][1] * m[1][0]; }

static Mat2 inverse(const Mat2& m) {
    double d = det(m);
    return {{{m[1][1] / d, -m[0][1] / d}, {-m[1][0] / d, m[0][0] / d}}};
}

// -- elements -----------------------------------------------------------------------------------------------------------

struct Triangle {
    static constexpr int nodes = 3, points = 1;
    static constexpr std::array<std::array<double, 3>, points> quadrature{{{1. / 3, 1. / 3, 0.5}}};
    static std::array<Vec2, nodes> slopes(double, double) { return {{{-1, -1}, {1, 0}, {0, 1}}}; }
};

struct Quadrilateral {
    static constexpr int nodes = 4, points = 4;
    static constexpr double g = 0.5773502691896257;
    static constexpr std::array<std::array<double, 3>, points> quadrature{{{-g, -g, 1}, {g, -g, 1}, {g, g, 1}, {-g, g, 1}}};
    static std::array<Vec2, nodes> slopes(double s, double t) {
        return {{{-(1 - t) / 4, -(1 - s) / 4}, {(1 - t) / 4, -(1 + s) / 4}, {(1 + t) / 4, (1 + s) / 4}, {-(1 + t) / 4, (1 - s) / 4}}};
    }
};

// -- materials ----------------------------------------------------------------------------------------------------------

// Stress (first Piola and Kirchhoff) and its derivative by the gradient of deformation, as 4 by 4.
struct Response {
    Mat2 stress{};
    std::array<std::array<double, 4>, 4> tangent{};
    double energy = 0;
};

class Material {
public:
    virtual ~Material() = default;
    virtual Response respond(const Mat2& f) const = 0;
};

class NeoHooke : public Material {
public:
    NeoHooke(double mu, double lambda) : mu_(mu), lambda_(lambda) {}
    Response respond(const Mat2& f) const override {
        Response r;
        double j = det(f), l = std::log(j);
        Mat2 i = inverse(f);
        r.energy = 0.5 * mu_ * (f[0][0] * f[0][0] + f[0][1] * f[0][1] + f[1][0] * f[1][0] + f[1][1] * f[1][1] - 2) - mu_ * l +
                   0.5 * lambda_ * l * l;
        for (int a = 0; a < 2; a++)
            for (int b = 0; b < 2; b++) {
                r.stress[a][b] = mu_ * (f[a][b] - i[b][a]) + lambda_ * l * i[b][a];
                for (int c = 0; c < 2; c++)
                    for (int d = 0; d < 2; d++)
                        r.tangent[2 * a + b][2 * c + d] = mu_ * (a == c && b == d) + lambda_ * i[b][a] * i[d][c] +
                                                          (mu_ - lambda_ * l) * i[d][a] * i[b][c];
            }
        return r;
    }

private:
    double mu_, lambda_;
};

class Linear : public Material {
public:
    Linear(double mu, double lambda) : mu_(mu), lambda_(lambda) {}
    Response respond(const Mat2& f) const override {
        Response r;
        double xx = f[0][0] - 1, yy = f[1][1] - 1, xy = 0.5 * (f[0][1] + f[1][0]), trace = xx + yy;
        r.stress = {{{lambda_ * trace + 2 * mu_ * xx, 2 * mu_ * xy}, {2 * mu_ * xy, lambda_ * trace + 2 * mu_ * yy}}};
        r.energy = 0.5 * lambda_ * trace * trace + mu_ * (xx * xx + yy * yy + 2 * xy * xy);
        r.tangent = {{{lambda_ + 2 * mu_, 0, 0, lambda_}, {0, mu_, mu_, 0}, {0, mu_, mu_, 0}, {lambda_, 0, 0, lambda_ + 2 * mu_}}};
        return r;
    }

private:
    double mu_, lambda_;
};

// -- sparse systems -------------------------------------------------------------------------------------------------------

class Sparse {
public:
    explicit Sparse(std::size_t n) : columns_(n), values_(n) {}
    void clear() {
        for (auto& row : values_) std::fill(row.begin(), row.end(), 0.0);
    }
    void add(std::size_t r, std::size_t c, double v) {
        auto& columns = columns_[r];
        auto place = std::lower_bound(columns.begin(), columns.end(), c) - columns.begin();
        if (place == std::ptrdiff_t(columns.size()) || columns[place] != c) {
            columns.insert(columns.begin() + place, c);
            values_[r].insert(values_[r].begin() + place, 0.0);
        }
        values_[r][place] += v;
    }
    std::vector<double> times(const std::vector<double>& x) const {
        std::vector<double> y(x.size());
        for (std::size_t r = 0; r < y.size(); r++)
            for (std::size_t k = 0; k < columns_[r].size(); k++) y[r] += values_[r][k] * x[columns_[r][k]];
        return y;
    }
    double diagonal(std::size_t r) const {
        auto place = std::lower_bound(columns_[r].begin(), columns_[r].end(), r) - columns_[r].begin();
        return values_[r][place];
    }

private:
    std::vector<std::vector<std::size_t>> columns_;
    std::vector<std::vector<double>> values_;
};

static std::vector<double> conjugate_gradients(const Sparse& a, const std::vector<double>& b, int most) {
    std::vector<double> x(b.size()), r = b, z(b.size()), p;
    auto precondition = [&] {
        for (std::size_t k = 0; k < r.size(); k++) z[k] = r[k] / a.diagonal(k);
    };
    precondition();
    p = z;
    double rz = std::inner_product(r.begin(), r.end(), z.begin(), 0.0);
    for (int k = 0; k < most && rz > 1e-28; k++) {
        auto ap = a.times(p);
        double alpha = rz / std::inner_product(p.begin(), p.end(), ap.begin(), 0.0);
        for (std::size_t i = 0; i < x.size(); i++) x[i] += alpha * p[i], r[i] -= alpha * ap[i];
        precondition();
        double next = std::inner_product(r.begin(), r.end(), z.begin(), 0.0);
        std::transform(z.begin(), z.end(), p.begin(), p.begin(), [beta = next / rz](double u, double v) { return u + beta * v; });
        rz = next;
    }
    return x;
}

// -- the problem ------------------------------------------------------------------------------------------------------------

template <class Element>
class Body {
public:
    using Cell = std::array<std::size_t, Element::nodes>;
    std::vector<Vec2> nodes;
    std::vector<Cell> cells;
    std::vector<double> load;
    std::vector<bool> held;
    std::unique_ptr<Material> material;

    double solve(int turns, double& energy) const {
        std::vector<double> u(2 * nodes.size());
        Sparse stiffness(u.size());
        for (int k = 0; k < turns; k++) {
            std::vector<double> rest = load;
            stiffness.clear();
            energy = 0;
            for (const auto& cell : cells) energy += assemble(cell, u, stiffness, rest);
            for (std::size_t d = 0; d < u.size(); d++)
                if (held[d]) stiffness.add(d, d, 1e6), rest[d] = 0;
            auto step = conjugate_gradients(stiffness, rest, 60);
            for (std::size_t d = 0; d < u.size(); d++) u[d] += step[d];
        }
        return std::inner_product(u.begin(), u.end(), load.begin(), 0.0);
    }

private:
    double assemble(const Cell& cell, const std::vector<double>& u, Sparse& stiffness, std::vector<double>& rest) const {
        double energy = 0;
        for (const auto& q : Element::quadrature) {
            auto slopes = Element::slopes(q[0], q[1]);
            Mat2 jacobian{}, f{{{1, 0}, {0, 1}}};
            for (int n = 0; n < Element::nodes; n++)
                for (int a = 0; a < 2; a++)
                    for (int b = 0; b < 2; b++) jacobian[a][b] += nodes[cell[n]][a] * slopes[n][b];
            Mat2 back = inverse(jacobian);
            std::array<Vec2, Element::nodes> gradient{};
            for (int n = 0; n < Element::nodes; n++)
                for (int a = 0; a < 2; a++) gradient[n][a] = slopes[n][0] * back[0][a] + slopes[n][1] * back[1][a];
            for (int n = 0; n < Element::nodes; n++)
                for (int a = 0; a < 2; a++)
                    for (int b = 0; b < 2; b++) f[a][b] += u[2 * cell[n] + a] * gradient[n][b];
            double weight = q[2] * det(jacobian);
            Response r = material->respond(f);
            energy += weight * r.energy;
            for (int n = 0; n < Element::nodes; n++)
                for (int a = 0; a < 2; a++) {
                    for (int b = 0; b < 2; b++) rest[2 * cell[n] + a] -= weight * r.stress[a][b] * gradient[n][b];
                    for (int m = 0; m < Element::nodes; m++)
                        for (int c = 0; c < 2; c++) {
                            double k = 0;
                            for (int b = 0; b < 2; b++)
                                for (int d = 0; d < 2; d++) k += gradient[n][b] * r.tangent[2 * a + b][2 * c + d] * gradient[m][d];
                            stiffness.add(2 * cell[n] + a, 2 * cell[m] + c, weight * k);
                        }
                }
        }
        return energy;
    }
};

template <class Element>
static Body<Element> cantilever(const double* x, int nx, int ny) {
    Body<Element> body;
    for (int j = 0; j <= ny; j++)
        for (int i = 0; i <= nx; i++) {
            double s = double(i) / nx, t = double(j) / ny;
            body.nodes.push_back({s * (1 + x[0]) + 0.05 * x[1] * t, t * (0.5 + 0.3 * x[2]) * (1 - 0.3 * x[3] * s)});
        }
    for (std::size_t j = 0; j < std::size_t(ny); j++)
        for (std::size_t i = 0; i < std::size_t(nx); i++) {
            std::size_t a = j * (nx + 1) + i, b = a + 1, c = b + nx + 1, d = a + nx + 1;
            if constexpr (Element::nodes == 3) {
                body.cells.push_back({a, b, c});
                body.cells.push_back({a, c, d});
            } else {
                body.cells.push_back({a, b, c, d});
            }
        }
    body.load.assign(2 * body.nodes.size(), 0.0);
    body.held.assign(2 * body.nodes.size(), false);
    for (int j = 0; j <= ny; j++) {
        std::size_t left = j * (nx + 1), right = left + nx;
        body.held[2 * left] = body.held[2 * left + 1] = true;
        body.load[2 * right] = 0.1 * x[4], body.load[2 * right + 1] = -0.05 * x[5] * (j == ny ? 0.5 : 1);
    }
    return body;
}

extern "C" double finite_elements(const double* x, int n) {
    double energy = 0, total = 0;
    auto triangles = cantilever<Triangle>(x, 3, 2);
    triangles.material = std::make_unique<Linear>(1 + x[6], 1 + 0.5 * x[7]);
    total += triangles.solve(1, energy);
    auto quadrilaterals = cantilever<Quadrilateral>(x, 2, 1);
    quadrilaterals.material = std::make_unique<NeoHooke>(1 + x[8], 1 + 0.5 * x[9]);
    total += x[10] * quadrilaterals.solve(4, energy);
    return 10 * total + energy * x[n - 1];
}
