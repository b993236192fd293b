// Threads of the C++ library.
#include <cmath>
#include <mutex>
#include <thread>
#include <vector>

extern "C" double alternating(const double *x, int n)
{
    double parts[2] = {0, 0}, sum = 0;
    std::mutex lock;
    std::vector<std::thread> threads;
    for (int k = 0; k < 2; k++)
        threads.emplace_back([&, k] {
            for (int i = k; i < n; i += 2) {
                parts[k] += std::sin(x[i]) * x[i];
                std::lock_guard<std::mutex> held(lock);
                sum += x[i] * x[i] * x[i];
            }
        });
    for (std::thread &thread : threads) thread.join();
    return parts[0] * parts[1] + sum;
}
