#include <utility>
#include <vector>
extern "C" double f(double *x, long n) {
  std::vector<std::vector<double>> v(n);
  for (long i = 0; i < n; i++) {
    v[i].push_back(x[i] * x[i]);
    v[i].push_back(x[(i + 1) % n] * x[i]);
  }
  for (long i = 1; i < n; i++) {
    std::vector<double> t = std::move(v[i]);
    long k = i;
    for (; k > 0 && t[0] < v[k - 1][0]; k--) v[k] = std::move(v[k - 1]);
    v[k] = std::move(t);
  }
  double s = 0;
  for (long i = 0; i < n; i++) s += (i + 1) * v[i][0] * v[i][1];
  return s;
}
