#include <vector>
#include <algorithm>
extern "C" double f(double *x, long n) {
  std::vector<std::vector<double>> v(n);
  for (long i = 0; i < n; i++) for (long j = 0; j <= i; j++) v[i].push_back(x[i]*x[j]);
  std::swap(v[0], v[n-1]);
  std::reverse(v.begin(), v.end());
  double s = 0; for (long i = 0; i < n; i++) for (double e : v[i]) s += (i+1)*e*e;
  return s;
}
