#include <algorithm>
#include <vector>
extern "C" double f(double *x, long n) {
  std::vector<std::vector<double>> a(n), b(n);
  for (long i = 0; i < n; i++) {
    a[i].push_back(x[i]);
    a[i].push_back(x[i] * x[i]);
    b[i].push_back(x[n - 1 - i]);
  }
  std::rotate(a.begin(), a.begin() + 2, a.end());
  a.erase(a.begin() + 1);
  std::swap(a, b);
  std::swap(a[1], b[1]);
  double s = 0;
  for (size_t i = 0; i < b.size(); i++)
    for (double e : b[i]) s += (i + 1) * e * e * a[i][0];
  return s;
}
