// Words of eight bytes that are numbers in one object and addresses in another, moved by the same code.
#include <algorithm>
#include <any>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

struct Pair { double a, b; };
struct Value { int tag; union { double number; Pair *pair; }; };

static __attribute__((noinline)) Value made(double x, int k, Pair *p)
{
    Value v;
    v.tag = k % 2;
    if (v.tag) v.pair = p;
    else v.number = x * x;
    return v;
}

static __attribute__((noinline)) double read(Value v) { return v.tag ? v.pair->a * v.pair->b : v.number; }

extern "C" double tagged(const double *x, int n)
{
    Pair p{x[0], x[1]};
    Value stack[8];
    for (int i = 0; i < 8; i++) stack[i] = made(x[i % n] + i * x[2], i, &p);
    std::swap(stack[0], stack[5]);
    for (int i = 0; i < 4; i++) { Value t = stack[i]; stack[i] = stack[7 - i]; stack[7 - i] = t; }
    double sum = 0;
    for (int i = 0; i < 8; i++) sum += (i + 1) * read(stack[i]);
    return sum;
}

extern "C" double chosen(const double *x, int n)
{
    Pair p{x[0], x[1]};
    Value last{0, {0}};
    double sum = 0;
    for (int i = 0; i < n; i++) {
        Value v;
        if (i & 1) { v.tag = 1; v.pair = &p; }
        else { v.tag = 0; v.number = x[i] * i + x[1]; }
        last = v;
        sum += last.tag ? last.pair->a * i : last.number * last.number;
    }
    return sum;
}

extern "C" double variants(const double *x, int n)
{
    Pair p{x[0], x[1]};
    std::vector<std::variant<double, Pair *, int>> all;
    for (int i = 0; i < 9; i++) {
        if (i % 3 == 0) all.push_back(x[i % n] * i + x[0]);
        else if (i % 3 == 1) all.push_back(&p);
        else all.push_back(i);
    }
    std::swap(all[0], all[1]);
    double sum = 0;
    for (auto &v : all) {
        if (auto *d = std::get_if<double>(&v)) sum += *d * *d;
        else if (auto *q = std::get_if<Pair *>(&v)) sum += (*q)->a * (*q)->b;
        else sum += std::get<int>(v) * x[2];
    }
    return sum;
}

extern "C" double captured(const double *x, int n)
{
    std::vector<std::function<double(double)>> all;
    double a = x[0], b = x[1], two[2] = {x[2], x[3]};
    all.push_back([a](double y) { return a * y * y; });
    all.push_back([&two](double y) { return two[0] * y + two[1]; });
    all.push_back([n](double y) { return n * y; });
    all.push_back([a, b, n](double y) { return a * y + b * n; });
    all.push_back([p = &two[1]](double y) { return *p * y; });
    std::swap(all[0], all[3]);
    double sum = x[4];
    for (auto f : all) sum = f(0.5 * sum);
    return sum;
}

extern "C" double closures(const double *x, int n)
{
    double out[2] = {x[0], x[1]}, kept[8];
    for (int i = 0; i < 8; i++) kept[i] = x[i % n] * x[1];
    struct Held { double *out; double kept[8]; } held{out, {}};
    std::copy(kept, kept + 8, held.kept);
    std::function<double(double)> f = [held](double) { held.out[0] = held.kept[0]; return 0.5; };
    std::function<double(double)> g = f;
    double sum = f(1.0) + g(2.0);
    std::deque<double> queue;
    for (int i = 0; i < n + 6; i++) queue.push_back(kept[n & 7]);
    return sum * out[0] + out[1] * queue.back();
}

extern "C" double tuples(const double *x, int n)
{
    Pair p{x[0], x[1]};
    std::vector<std::tuple<double, Pair *, int>> all;
    std::vector<std::pair<Pair *, double>> others;
    for (int i = 0; i < n; i++) {
        all.emplace_back(x[i] * i, &p, i);
        others.emplace_back(&p, x[i] * i);
    }
    for (size_t i = 0; i + 1 < all.size(); i += 2) {
        std::swap(all[i], all[i + 1]);
        std::swap(others[i], others[i + 1]);
    }
    double sum = 0;
    for (auto &[d, q, i] : all) sum += d * q->a + i * q->b;
    for (auto &[q, d] : others) sum += d * d * q->a;
    return sum;
}

extern "C" double anything(const double *x, int n)
{
    std::any all[4] = {x[0] * x[1], std::vector<double>{x[0], x[1], x[2]}, 3, x[n - 1]};
    std::swap(all[0], all[1]);
    auto &v = std::any_cast<std::vector<double> &>(all[0]);
    return std::any_cast<double>(all[1]) * v[0] * v[2] + std::any_cast<int>(all[2]) * std::any_cast<double>(all[3]);
}

// Indices of bytes meet the sizes of vectors, which are distances of addresses.
extern "C" double removed(const double *x, int n)
{
    std::vector<double> all;
    for (int i = 0; i < 8; i++) all.push_back(x[i % n] * x[i % n] + i * 0.03125);
    all.erase(std::remove_if(all.begin(), all.end(), [](const double &v) { return v > 1.1; }), all.end());
    while (all.size() < 8) all.push_back(0.5);
    std::sort(all.begin(), all.end());
    double sum = 0;
    for (int i = 0; i < 8; i++) sum += all[i] * all[i] * (i + 1);
    return sum;
}

// The number is in a register of the loop first, and the address of the next one afterwards.
extern "C" double rebuilt(const double *x, int n)
{
    struct Either { union { double number; double *held; }; char tag; };
    Either last{{x[0]}, 0};
    double *all[16];
    int count = 0;
    for (int i = 1; i < n; i++) {
        Either now = last;
        double value = now.tag ? *now.held : now.number;
        double *next = all[count++] = new double(x[i] * value + x[0]);
        last.held = next;
        last.tag = 1;
    }
    double result = last.tag ? *last.held : 0;
    while (count) delete all[--count];
    return result;
}

extern "C" double moved(const double *x, int n)
{
    using V = std::variant<double, std::unique_ptr<double>>;
    V last = x[0];
    for (int i = 1; i < n; i++) {
        V now;
        now = std::move(last);
        double value = now.index() ? *std::get<1>(now) : std::get<0>(now);
        last = std::make_unique<double>(x[i] * value);
    }
    return last.index() ? *std::get<1>(last) : 0;
}
