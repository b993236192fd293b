// The dynamics of a robot's arm: matrices of fixed sizes as templates, spatial vectors of six numbers, joints behind an
// interface, Featherstone's articulated bodies for the accelerations, Newton and Euler's recursion for the torques, controllers
// as functions that hold a model of the arm, a trajectory through points, Runge and Kutta's method and a cost of the motion.
// The numbers are the links' masses and lengths, the friction, the payload, the gains and the points.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <functional>
#include <initializer_list>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <utility>
#include <vector>

// -- matrices -------------------------------------------------------------------------------------------------------------

template <std::size_t R, std::size_t C>
class Matrix {
public:
    Matrix() = default;
    Matrix(std::initializer_list<double> values) {
        if (values.size() != R * C) throw std::invalid_argument("wrong number of entries");
        std::copy(values.begin(), values.end(), entries_.begin());
    }
    static Matrix identity() {
        static_assert(R == C, "only square matrices have an identity");
        Matrix m;
        for (std::size_t k = 0; k < R; k++) m(k, k) = 1;
        return m;
    }
    double& operator()(std::size_t r, std::size_t c) { return entries_[r * C + c]; }
    double operator()(std::size_t r, std::size_t c) const { return entries_[r * C + c]; }
    double& operator[](std::size_t k) { return entries_[k]; }
    double operator[](std::size_t k) const { return entries_[k]; }

    Matrix& operator+=(const Matrix& o) {
        std::transform(entries_.begin(), entries_.end(), o.entries_.begin(), entries_.begin(), std::plus<>());
        return *this;
    }
    Matrix& operator-=(const Matrix& o) {
        std::transform(entries_.begin(), entries_.end(), o.entries_.begin(), entries_.begin(), std::minus<>());
        return *this;
    }
    Matrix& operator*=(double s) {
        for (double& e : entries_) e *= s;
        return *this;
    }
    Matrix<C, R> transposed() const {
        Matrix<C, R> t;
        for (std::size_t r = 0; r < R; r++)
            for (std::size_t c = 0; c < C; c++) t(c, r) = (*this)(r, c);
        return t;
    }
    template <std::size_t P, std::size_t Q>
    Matrix<P, Q> block(std::size_t row, std::size_t column) const {
        static_assert(P <= R && Q <= C, "a block is within its matrix");
        Matrix<P, Q> b;
        for (std::size_t r = 0; r < P; r++)
            for (std::size_t c = 0; c < Q; c++) b(r, c) = (*this)(row + r, column + c);
        return b;
    }
    template <std::size_t P, std::size_t Q>
    Matrix& put(std::size_t row, std::size_t column, const Matrix<P, Q>& b) {
        for (std::size_t r = 0; r < P; r++)
            for (std::size_t c = 0; c < Q; c++) (*this)(row + r, column + c) = b(r, c);
        return *this;
    }

    friend Matrix operator+(Matrix a, const Matrix& b) { return a += b; }
    friend Matrix operator-(Matrix a, const Matrix& b) { return a -= b; }
    friend Matrix operator-(Matrix a) { return a *= -1; }
    friend Matrix operator*(Matrix a, double s) { return a *= s; }
    friend Matrix operator*(double s, Matrix a) { return a *= s; }

private:
    std::array<double, R * C> entries_{};
};

template <std::size_t R, std::size_t K, std::size_t C>
Matrix<R, C> operator*(const Matrix<R, K>& a, const Matrix<K, C>& b) {
    Matrix<R, C> m;
    for (std::size_t r = 0; r < R; r++)
        for (std::size_t k = 0; k < K; k++)
            for (std::size_t c = 0; c < C; c++) m(r, c) += a(r, k) * b(k, c);
    return m;
}

template <std::size_t N>
using Vector = Matrix<N, 1>;
using Vec3 = Vector<3>;
using Mat3 = Matrix<3, 3>;
using Spatial = Vector<6>;  // the angular part is first
using Mat6 = Matrix<6, 6>;

template <std::size_t N>
double dot(const Vector<N>& a, const Vector<N>& b) {
    return (a.transposed() * b)[0];
}

static Mat3 skew(const Vec3& v) { return {0, -v[2], v[1], v[2], 0, -v[0], -v[1], v[0], 0}; }

static Spatial stacked(const Vec3& top, const Vec3& bottom) { return Spatial().put(0, 0, top).put(3, 0, bottom); }

// Rodrigues' formula; the result turns coordinates into those of the turned frame.
static Mat3 turned(const Vec3& axis, double angle) {
    Mat3 k = skew(axis);
    return Mat3::identity() - k * std::sin(angle) + k * k * (1 - std::cos(angle));
}

// -- spatial algebra ------------------------------------------------------------------------------------------------------

// From the coordinates of a parent to those of its child, which is turned and moved.
struct Transform {
    Mat3 turn = Mat3::identity();
    Vec3 move;

    Mat6 motion() const { return Mat6().put(0, 0, turn).put(3, 0, -turn * skew(move)).put(3, 3, turn); }
    // First the other, then this.
    Transform operator*(const Transform& o) const { return {turn * o.turn, o.move + o.turn.transposed() * move}; }
    Vec3 to_parent(const Vec3& p) const { return move + turn.transposed() * p; }
};

static Mat6 cross_motion(const Spatial& v) {
    Mat3 w = skew(v.block<3, 1>(0, 0)), l = skew(v.block<3, 1>(3, 0));
    return Mat6().put(0, 0, w).put(3, 0, l).put(3, 3, w);
}

static Spatial cross_force(const Spatial& v, const Spatial& f) { return -(cross_motion(v).transposed() * f); }

static Mat6 spatial_inertia(double mass, const Vec3& centre, const Mat3& about_centre) {
    Mat3 c = skew(centre);
    return Mat6().put(0, 0, about_centre + mass * (c * c.transposed())).put(0, 3, mass * c).put(3, 0, mass * c.transposed())
        .put(3, 3, mass * Mat3::identity());
}

// -- joints and links -----------------------------------------------------------------------------------------------------

class Joint {
public:
    explicit Joint(double friction) : friction_(friction) {}
    virtual ~Joint() = default;
    virtual Transform transform(double q) const = 0;
    virtual Spatial axis() const = 0;
    virtual double resistance(double q, double speed) const {
        (void)q;
        return friction_ * (0.2 * speed + 0.1 * std::tanh(4 * speed));
    }

private:
    double friction_;
};

class Revolute : public Joint {
public:
    Revolute(const Vec3& axis, double friction) : Joint(friction), axis_(axis) {}
    Transform transform(double q) const override { return {turned(axis_, q), {}}; }
    Spatial axis() const override { return stacked(axis_, {}); }

protected:
    Vec3 axis_;
};

class Prismatic final : public Joint {
public:
    Prismatic(const Vec3& axis, double friction, double spring) : Joint(friction), axis_(axis), spring_(spring) {}
    Transform transform(double q) const override { return {Mat3::identity(), q * axis_}; }
    Spatial axis() const override { return stacked({}, axis_); }
    double resistance(double q, double speed) const override { return Joint::resistance(q, speed) + spring_ * q * (1 + q * q); }

private:
    Vec3 axis_;
    double spring_;
};

// A screw: it moves along its axis as it turns.
class Helical final : public Revolute {
public:
    Helical(const Vec3& axis, double friction, double pitch) : Revolute(axis, friction), pitch_(pitch) {}
    Transform transform(double q) const override { return {turned(axis_, q), pitch_ * q * axis_}; }
    Spatial axis() const override { return stacked(axis_, pitch_ * axis_); }

private:
    double pitch_;
};

struct Link {
    std::unique_ptr<Joint> joint;
    Transform mount;  // of the joint on the link before
    Mat6 inertia;
};

using Numbers = std::vector<double>;

class Arm {
public:
    explicit Arm(double gravity) : gravity_(stacked({}, {0, 0, gravity})) {}

    template <class J, class... Arguments>
    Arm& add(double mass, double length, Arguments&&... arguments) {
        Transform mount{Mat3::identity(), {0, 0, reach_}};
        double round = mass * 0.01, along = mass * length * length / 12 + round;
        Mat3 about{along, 0, 0, 0, along, 0, 0, 0, round};
        links_.push_back({std::make_unique<J>(std::forward<Arguments>(arguments)...), mount, spatial_inertia(mass, {0, 0, length / 2}, about)});
        reach_ = length;
        return *this;
    }
    void grip(double payload) {
        links_.back().inertia += spatial_inertia(payload, {0, 0.05, reach_}, 0.02 * payload * Mat3::identity());
    }
    std::size_t size() const { return links_.size(); }

    // Newton and Euler: the torques that give the accelerations.
    Numbers torques(const Numbers& q, const Numbers& speed, const Numbers& acceleration) const {
        std::vector<Mat6> x = transforms(q);
        std::vector<Spatial> force;
        Spatial v, a = gravity_;
        for (std::size_t k = 0; k < size(); k++) {
            Spatial s = links_[k].joint->axis();
            v = x[k] * v + s * speed[k];
            a = x[k] * a + s * acceleration[k] + cross_motion(v) * s * speed[k];
            force.push_back(links_[k].inertia * a + cross_force(v, links_[k].inertia * v));
        }
        Numbers tau(size());
        for (std::size_t k = size(); k-- > 0;) {
            const Joint& joint = *links_[k].joint;
            tau[k] = dot(joint.axis(), force[k]) + joint.resistance(q[k], speed[k]);
            if (k) force[k - 1] += x[k].transposed() * force[k];
        }
        return tau;
    }

    // Articulated bodies: the accelerations that the torques give.
    Numbers accelerations(const Numbers& q, const Numbers& speed, const Numbers& tau) const {
        struct Pass {
            Mat6 inertia;
            Spatial axis, bias, extra, held;
            double stiff, rest;
        };
        std::vector<Mat6> x = transforms(q);
        std::vector<Pass> passes;
        Spatial v;
        for (std::size_t k = 0; k < size(); k++) {
            const Link& link = links_[k];
            Spatial s = link.joint->axis();
            v = x[k] * v + s * speed[k];
            passes.push_back({link.inertia, s, cross_force(v, link.inertia * v), cross_motion(v) * s * speed[k], {}, 0, 0});
        }
        for (std::size_t k = size(); k-- > 0;) {
            Pass& p = passes[k];
            p.held = p.inertia * p.axis;
            p.stiff = dot(p.axis, p.held);
            p.rest = tau[k] - links_[k].joint->resistance(q[k], speed[k]) - dot(p.axis, p.bias);
            if (k == 0) break;
            Mat6 free = p.inertia - p.held * p.held.transposed() * (1 / p.stiff);
            passes[k - 1].inertia += x[k].transposed() * free * x[k];
            passes[k - 1].bias += x[k].transposed() * (p.bias + free * p.extra + p.held * (p.rest / p.stiff));
        }
        Numbers out;
        Spatial a = gravity_;
        for (std::size_t k = 0; k < size(); k++) {
            const Pass& p = passes[k];
            a = x[k] * a + p.extra;
            out.push_back((p.rest - dot(p.held, a)) / p.stiff);
            a += p.axis * out.back();
        }
        return out;
    }

    Vec3 tip(const Numbers& q) const {
        Vec3 p{0, 0, reach_};
        for (std::size_t k = size(); k-- > 0;) p = place(k, q[k]).to_parent(p);
        return p;
    }

private:
    Transform place(std::size_t k, double q) const { return links_[k].joint->transform(q) * links_[k].mount; }
    std::vector<Mat6> transforms(const Numbers& q) const {
        if (q.size() != size()) throw std::length_error("a number for each joint");
        std::vector<Mat6> x;
        x.reserve(size());
        for (std::size_t k = 0; k < size(); k++) x.push_back(place(k, q[k]).motion());
        return x;
    }

    std::vector<Link> links_;
    Spatial gravity_;
    double reach_ = 0.3;  // of the pedestal, then of the link before
};

// -- trajectories and controllers -----------------------------------------------------------------------------------------

struct Wish {
    Numbers q, speed, acceleration;
};

// Through points at equal times, at rest at each: polynomials of the fifth degree.
class Trajectory {
public:
    Trajectory(std::vector<Numbers> points, double span) : points_(std::move(points)), span_(span) {}
    double duration() const { return span_ * static_cast<double>(points_.size() - 1); }
    Wish at(double t) const {
        auto k = std::min(static_cast<std::size_t>(std::max(t, 0.0) / span_), points_.size() - 2);
        double s = t / span_ - static_cast<double>(k);
        double p = s * s * s * (10 + s * (-15 + 6 * s)), dp = 30 * s * s * (1 - s) * (1 - s), ddp = 60 * s * (1 + s * (-3 + 2 * s));
        Wish w;
        for (std::size_t i = 0; i < points_[k].size(); i++) {
            double from = points_[k][i], way = points_[k + 1][i] - from;
            w.q.push_back(from + way * p);
            w.speed.push_back(way * dp / span_);
            w.acceleration.push_back(way * ddp / (span_ * span_));
        }
        return w;
    }

private:
    std::vector<Numbers> points_;
    double span_;
};

struct State {
    Numbers q, speed;
    State operator+(const State& o) const { return combined(*this, 1, o); }
    static State combined(State a, double h, const State& b) {
        for (std::size_t k = 0; k < a.q.size(); k++) a.q[k] += h * b.q[k], a.speed[k] += h * b.speed[k];
        return a;
    }
};

using Controller = std::function<Numbers(const Wish&, const State&)>;

static Controller proportional(double stiffness, double damping) {
    return [=](const Wish& w, const State& s) {
        Numbers tau;
        for (std::size_t k = 0; k < s.q.size(); k++)
            tau.push_back(stiffness * (w.q[k] - s.q[k]) + damping * (w.speed[k] - s.speed[k]));
        return tau;
    };
}

// The torques of the wished motion, by a model that need not be the arm.
static Controller feedforward(std::shared_ptr<const Arm> model) {
    return [model = std::move(model)](const Wish& w, const State&) { return model->torques(w.q, w.speed, w.acceleration); };
}

static Controller sum(std::vector<Controller> parts) {
    return [parts = std::move(parts)](const Wish& w, const State& s) {
        Numbers total(s.q.size());
        for (const auto& part : parts) {
            Numbers tau = part(w, s);
            std::transform(total.begin(), total.end(), tau.begin(), total.begin(), std::plus<>());
        }
        return total;
    };
}

// Motors give no more than so much.
static Controller limited(Controller inner, Numbers most) {
    return [inner = std::move(inner), most = std::move(most)](const Wish& w, const State& s) {
        Numbers tau = inner(w, s);
        for (std::size_t k = 0; k < tau.size(); k++) tau[k] = most[k] * std::tanh(tau[k] / most[k]);
        return tau;
    };
}

// -- simulation -----------------------------------------------------------------------------------------------------------

static double simulate(const Arm& arm, const Trajectory& way, const Controller& control, int steps) {
    double h = way.duration() / steps, cost = 0;
    Wish first = way.at(0);
    State state{first.q, first.speed};
    auto slope = [&](double t, const State& s) { return State{s.speed, arm.accelerations(s.q, s.speed, control(way.at(t), s))}; };
    for (int k = 0; k < steps; k++) {
        double t = k * h;
        State a = slope(t, state), b = slope(t + h / 2, State::combined(state, h / 2, a));
        State c = slope(t + h / 2, State::combined(state, h / 2, b)), d = slope(t + h, State::combined(state, h, c));
        state = State::combined(State::combined(state, h / 6, a + d), h / 3, b + c);
        Wish w = way.at(t + h);
        Vec3 miss = arm.tip(state.q) - arm.tip(w.q);
        Numbers tau = control(w, state);
        cost += h * (200 * dot(miss, miss) + 0.02 * std::inner_product(tau.begin(), tau.end(), tau.begin(), 0.0));
    }
    return cost + std::inner_product(state.speed.begin(), state.speed.end(), state.speed.begin(), 0.0);
}

static Arm build(const double* masses, const double* lengths, double friction, double payload) {
    Arm arm(9.81);
    arm.add<Revolute>(1 + masses[0], 0.3, Vec3{0, 0, 1}, friction)
        .add<Revolute>(0.5 + masses[1], 0.2 + 0.3 * lengths[0], Vec3{0, 1, 0}, friction)
        .add<Helical>(0.5 + masses[2], 0.2 + 0.3 * lengths[1], Vec3{0.6, 0.8, 0}, friction, 0.05)
        .add<Prismatic>(0.3, 0.2, Vec3{0, 0, 1}, 2 * friction, 30.0);
    arm.grip(payload);
    return arm;
}

extern "C" double robot_dynamics(const double* x, int n) {
    Arm arm = build(x, x + 3, x[5], 0.5 * x[6]);
    const double believed[] = {1, 1, 1, 1, 1};
    auto model = std::make_shared<const Arm>(build(believed, x + 3, 0.5, 0.4));
    Trajectory way({{0, 0.5, 0.3, 0}, {0.6 * x[7], 0.9, -0.4 * x[8], 0.05}, {0.8, 0.4 * x[9], 0.5, 0.1}}, 0.4);
    Controller control = sum({proportional(20 + 20 * x[10], 2 + 2 * x[n - 1]), feedforward(model)});
    return simulate(arm, way, limited(std::move(control), {20, 40, 25, 30}), 24);
}
