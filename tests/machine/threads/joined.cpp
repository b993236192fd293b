// Threads of the C++ library: each function of x is run by several of them.
#include <cmath>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace {

double part(const double *x, int from, int to)
{
    double sum = 0;
    for (int i = from; i < to; i++) sum += std::sin(x[i]) * x[0];
    return sum;
}

void scale(std::vector<double> &values, const double *x, int from, int to, double by)
{
    for (int i = from; i < to; i++) values[i] = x[i] * by + std::cos(x[i]);
}

}  // namespace

extern "C" double lambdas(const double *x, int n)
{
    double left = 0, right = 0;
    std::thread first([&] { left = part(x, 0, n / 2); });
    std::thread second([&] { right = part(x, n / 2, n); });
    first.join();
    second.join();
    return left * right;
}

extern "C" double arguments(const double *x, int n)
{
    std::vector<double> values(n);
    double by = x[1] * x[2];
    std::thread other(scale, std::ref(values), x, 0, n / 2, by);
    scale(values, x, n / 2, n, by * by);
    other.join();
    double total = 0;
    for (double v : values) total += v * v;
    return total;
}

extern "C" double guarded(const double *x, int n)
{
    double product = 1;
    std::mutex mutex;
    std::vector<std::thread> threads;
    for (int k = 0; k < 3; k++)
        threads.emplace_back([&, k] {
            for (int i = k; i < n; i += 3) {
                double factor = 1 + x[i] * x[i] / 8;
                std::lock_guard<std::mutex> held(mutex);
                product *= factor;
            }
        });
    for (std::thread &thread : threads) thread.join();
    return product;
}

namespace {

class Worker {
public:
    Worker(const double *x, int from, int to) : x(x), from(from), to(to) {}
    void start() { thread = std::make_unique<std::thread>(&Worker::run, this); }
    double result()
    {
        if (thread->joinable()) thread->join();
        return sum;
    }

private:
    void run()
    {
        for (int i = from; i < to; i++) sum += x[i] * std::exp(x[i] / 4);
    }
    const double *x;
    int from, to;
    double sum = 0;
    std::unique_ptr<std::thread> thread;
};

}  // namespace

extern "C" double workers(const double *x, int n)
{
    std::vector<Worker> all;
    for (int k = 0; k < 3; k++) all.emplace_back(x, n * k / 3, n * (k + 1) / 3);
    for (Worker &worker : all) worker.start();
    double total = 0;
    for (Worker &worker : all) total += worker.result() * worker.result();
    return total;
}
