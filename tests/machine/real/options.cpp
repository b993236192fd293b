// Pricing of options: contracts, models and methods as classes with virtual functions behind smart pointers, a term structure
// that is interpolated, closed formulas, trees with early exercise, finite differences, and Monte Carlo with a generator of its
// own, antithetic paths, a Brownian bridge and regression after Longstaff and Schwartz. The numbers are the market's.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <utility>
#include <vector>

namespace market {

class Curve {
public:
    Curve(std::vector<double> times, std::vector<double> rates) : times_(std::move(times)), rates_(std::move(rates)) {
        if (times_.size() != rates_.size()) throw std::invalid_argument("a curve needs a rate for each time");
    }
    double rate(double t) const {
        auto after = std::upper_bound(times_.begin(), times_.end(), t);
        if (after == times_.begin()) return rates_.front();
        if (after == times_.end()) return rates_.back();
        std::size_t k = after - times_.begin();
        double w = (t - times_[k - 1]) / (times_[k] - times_[k - 1]);
        return (1 - w) * rates_[k - 1] + w * rates_[k];
    }
    double discount(double t) const { return std::exp(-rate(t) * t); }

private:
    std::vector<double> times_, rates_;
};

struct Market {
    double spot, dividend;
    std::shared_ptr<const Curve> curve;
};

}  // namespace market

namespace numbers {

inline double normal_cdf(double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); }

// A generator of Marsaglia's, and normal numbers by the inverse of their distribution.
class Generator {
public:
    explicit Generator(std::uint64_t seed) : state_(seed) {}
    double uniform() {
        state_ ^= state_ >> 12, state_ ^= state_ << 25, state_ ^= state_ >> 27;
        return (double((state_ * 2685821657736338717ull) >> 11) + 0.5) * 0x1p-53;
    }
    double normal() {
        double u = uniform(), v = uniform();
        return std::sqrt(-2 * std::log(u)) * std::cos(6.283185307179586 * v);
    }

private:
    std::uint64_t state_;
};

template <std::size_t N>
std::array<double, N> least_squares(const std::vector<std::array<double, N>>& rows, const std::vector<double>& wanted) {
    std::array<std::array<double, N + 1>, N> a{};
    for (std::size_t r = 0; r < rows.size(); r++)
        for (std::size_t i = 0; i < N; i++) {
            for (std::size_t j = 0; j < N; j++) a[i][j] += rows[r][i] * rows[r][j];
            a[i][N] += rows[r][i] * wanted[r];
        }
    for (std::size_t c = 0; c < N; c++) {
        a[c][c] += 1e-9;
        for (std::size_t r = c + 1; r < N; r++) {
            double factor = a[r][c] / a[c][c];
            for (std::size_t k = c; k <= N; k++) a[r][k] -= factor * a[c][k];
        }
    }
    std::array<double, N> x{};
    for (std::size_t i = N; i-- > 0;) {
        double sum = a[i][N];
        for (std::size_t k = i + 1; k < N; k++) sum -= a[i][k] * x[k];
        x[i] = sum / a[i][i];
    }
    return x;
}

}  // namespace numbers

namespace contracts {

class Payoff {
public:
    virtual ~Payoff() = default;
    virtual double operator()(double spot) const = 0;
};

class Call : public Payoff {
public:
    explicit Call(double strike) : strike_(strike) {}
    double operator()(double spot) const override { return std::max(spot - strike_, 0.0); }

private:
    double strike_;
};

class Put : public Payoff {
public:
    explicit Put(double strike) : strike_(strike) {}
    double operator()(double spot) const override { return spot < strike_ ? strike_ - spot : 0.0; }

private:
    double strike_;
};

// Parts of other payoffs, held together.
class Portfolio : public Payoff {
public:
    void add(double weight, std::unique_ptr<Payoff> part) { parts_.emplace_back(weight, std::move(part)); }
    double operator()(double spot) const override {
        return std::accumulate(parts_.begin(), parts_.end(), 0.0,
                               [spot](double sum, const auto& p) { return sum + p.first * (*p.second)(spot); });
    }

private:
    std::vector<std::pair<double, std::unique_ptr<Payoff>>> parts_;
};

struct Option {
    std::shared_ptr<const Payoff> payoff;
    double expiry;
    bool early = false;
};

}  // namespace contracts

namespace models {

class Model {
public:
    explicit Model(market::Market m) : market_(std::move(m)) {}
    virtual ~Model() = default;
    virtual double volatility(double spot, double time) const = 0;
    const market::Market& market() const { return market_; }
    double drift(double t) const { return market_.curve->rate(t) - market_.dividend; }

private:
    market::Market market_;
};

class BlackScholes : public Model {
public:
    BlackScholes(market::Market m, double sigma) : Model(std::move(m)), sigma_(sigma) {}
    double volatility(double, double) const override { return sigma_; }

private:
    double sigma_;
};

class LocalVolatility : public Model {
public:
    LocalVolatility(market::Market m, double level, double skew, double decay)
        : Model(std::move(m)), level_(level), skew_(skew), decay_(decay) {}
    double volatility(double spot, double time) const override {
        double moneyness = std::log(spot / market().spot);
        return level_ * (1 - skew_ * std::tanh(moneyness) * std::exp(-decay_ * time));
    }

private:
    double level_, skew_, decay_;
};

}  // namespace models

namespace methods {

class Method {
public:
    virtual ~Method() = default;
    virtual double price(const contracts::Option&, const models::Model&) const = 0;
};

class Binomial : public Method {
public:
    explicit Binomial(int steps) : steps_(steps) {}
    double price(const contracts::Option& o, const models::Model& m) const override {
        double dt = o.expiry / steps_, up = std::exp(m.volatility(m.market().spot, 0) * std::sqrt(dt)), down = 1 / up;
        std::vector<double> values(steps_ + 1);
        for (int k = 0; k <= steps_; k++) values[k] = (*o.payoff)(spot_at(m, up, steps_, k));
        for (int n = steps_; n-- > 0;) {
            double growth = std::exp(m.drift(n * dt) * dt), p = (growth - down) / (up - down);
            double discount = m.market().curve->discount((n + 1) * dt) / m.market().curve->discount(n * dt);
            for (int k = 0; k <= n; k++) {
                values[k] = discount * (p * values[k + 1] + (1 - p) * values[k]);
                if (o.early) values[k] = std::max(values[k], (*o.payoff)(spot_at(m, up, n, k)));
            }
        }
        return values[0];
    }

private:
    static double spot_at(const models::Model& m, double up, int n, int k) { return m.market().spot * std::pow(up, 2 * k - n); }
    int steps_;
};

// Crank and Nicolson's scheme in the logarithm of the spot.
class FiniteDifferences : public Method {
public:
    FiniteDifferences(int nodes, int steps) : nodes_(nodes), steps_(steps) {}
    double price(const contracts::Option& o, const models::Model& m) const override {
        const double dx = 3.0 / (nodes_ - 1), dt = o.expiry / steps_;
        std::vector<double> spots(nodes_), v(nodes_), a(nodes_), b(nodes_), c(nodes_), right(nodes_);
        for (int k = 0; k < nodes_; k++) {
            spots[k] = m.market().spot * std::exp((k - nodes_ / 2) * dx);
            v[k] = (*o.payoff)(spots[k]);
        }
        for (int n = steps_; n-- > 0;) {
            double t = (n + 0.5) * dt, r = m.market().curve->rate(t);
            for (int k = 1; k + 1 < nodes_; k++) {
                double sigma = m.volatility(spots[k], t), diffusion = 0.5 * sigma * sigma;
                double low = 0.5 * dt * (diffusion / (dx * dx) - (m.drift(t) - diffusion) / (2 * dx));
                double high = 0.5 * dt * (diffusion / (dx * dx) + (m.drift(t) - diffusion) / (2 * dx)), middle = low + high + 0.5 * dt * r;
                a[k] = -low, b[k] = 1 + middle, c[k] = -high;
                right[k] = low * v[k - 1] + (1 - middle) * v[k] + high * v[k + 1];
            }
            b[0] = b[nodes_ - 1] = 1, c[0] = a[nodes_ - 1] = 0;
            right[0] = v[0], right[nodes_ - 1] = v[nodes_ - 1];
            for (int k = 1; k < nodes_; k++) {
                double factor = a[k] / b[k - 1];
                b[k] -= factor * c[k - 1], right[k] -= factor * right[k - 1];
            }
            v[nodes_ - 1] = right[nodes_ - 1] / b[nodes_ - 1];
            for (int k = nodes_ - 1; k-- > 0;) v[k] = (right[k] - c[k] * v[k + 1]) / b[k];
            if (o.early)
                for (int k = 0; k < nodes_; k++) v[k] = std::max(v[k], (*o.payoff)(spots[k]));
        }
        return v[nodes_ / 2];
    }

private:
    int nodes_, steps_;
};

class MonteCarlo : public Method {
public:
    MonteCarlo(int paths, int steps, std::uint64_t seed) : paths_(paths), steps_(steps), seed_(seed) {}
    double price(const contracts::Option& o, const models::Model& m) const override {
        numbers::Generator generator(seed_);
        const double dt = o.expiry / steps_;
        std::vector<std::vector<double>> spots(steps_ + 1, std::vector<double>(paths_, m.market().spot));
        for (int p = 0; p < paths_; p += 2)
            for (int n = 0; n < steps_; n++) {
                double z = generator.normal();
                for (int sign = 0; sign < 2 && p + sign < paths_; sign++) {
                    double s = spots[n][p + sign], sigma = m.volatility(s, n * dt);
                    spots[n + 1][p + sign] =
                        s * std::exp((m.drift(n * dt) - 0.5 * sigma * sigma) * dt + sigma * std::sqrt(dt) * (sign ? -z : z));
                }
            }
        std::vector<double> values(paths_);
        std::transform(spots[steps_].begin(), spots[steps_].end(), values.begin(), [&](double s) { return (*o.payoff)(s); });
        for (int n = steps_; n-- > 1;) {
            double discount = m.market().curve->discount((n + 1) * dt) / m.market().curve->discount(n * dt);
            for (double& v : values) v *= discount;
            if (o.early) exercise(o, spots[n], values, m.market().spot);
        }
        double sum = std::accumulate(values.begin(), values.end(), 0.0);
        return sum / paths_ * m.market().curve->discount(dt);
    }

private:
    static void exercise(const contracts::Option& o, const std::vector<double>& spots, std::vector<double>& values, double scale) {
        std::vector<std::array<double, 3>> rows;
        std::vector<double> wanted;
        for (std::size_t p = 0; p < spots.size(); p++)
            if ((*o.payoff)(spots[p]) > 0) {
                double s = spots[p] / scale;
                rows.push_back({1, s, s * s});
                wanted.push_back(values[p]);
            }
        if (rows.size() < 4) return;
        auto b = numbers::least_squares(rows, wanted);
        for (std::size_t p = 0; p < spots.size(); p++) {
            double now = (*o.payoff)(spots[p]), s = spots[p] / scale;
            if (now > 0 && now > b[0] + b[1] * s + b[2] * s * s) values[p] = now;
        }
    }
    int paths_, steps_;
    std::uint64_t seed_;
};

double black_scholes_call(const market::Market& m, double strike, double sigma, double t) {
    double discount = m.curve->discount(t), forward = m.spot * std::exp(-m.dividend * t) / discount;
    double d1 = std::log(forward / strike) / (sigma * std::sqrt(t)) + 0.5 * sigma * std::sqrt(t), d2 = d1 - sigma * std::sqrt(t);
    return discount * (forward * numbers::normal_cdf(d1) - strike * numbers::normal_cdf(d2));
}

}  // namespace methods

extern "C" double options(const double* x, int n) {
    auto curve = std::make_shared<market::Curve>(std::vector<double>{0.25, 0.5, 1.0},
                                                 std::vector<double>{0.02 * x[0], 0.03 * x[1], 0.04 * x[2]});
    market::Market m{x[3], 0.01 * x[4], curve};
    std::vector<std::unique_ptr<models::Model>> book;
    book.push_back(std::make_unique<models::BlackScholes>(m, 0.3 * x[5]));
    book.push_back(std::make_unique<models::LocalVolatility>(m, 0.3 * x[6], 0.5 * x[7], x[8]));
    auto spread = std::make_shared<contracts::Portfolio>();
    spread->add(x[9], std::make_unique<contracts::Put>(1.03 * x[10]));
    spread->add(0.5, std::make_unique<contracts::Call>(1.2 * x[n - 1]));
    std::vector<contracts::Option> options{{spread, 0.75, false}, {std::make_shared<contracts::Put>(1.1 * x[3] * x[10]), 0.9, true}};
    std::array<std::unique_ptr<methods::Method>, 3> ways{std::make_unique<methods::Binomial>(9),
                                                         std::make_unique<methods::FiniteDifferences>(21, 6),
                                                         std::make_unique<methods::MonteCarlo>(30, 4, 42)};
    double total = methods::black_scholes_call(m, x[n - 1], 0.3 * x[5], 0.6);
    for (const auto& model : book)
        for (const auto& option : options)
            for (const auto& way : ways) try {
                    total += way->price(option, *model);
                } catch (const std::exception&) {
                    return NAN;
                }
    return total;
}
