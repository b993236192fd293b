/* Second names: of constructors and destructors, which C++'s compilers write once, of functions and of variables. */
class Sums {
public:
  explicit Sums(int n);
  Sums(const Sums &) = delete;
  ~Sums();
  double run(const double *x);

private:
  double *values;
  int n;
};
Sums::Sums(int n) : values(new double[n]), n(n) {}
Sums::~Sums() { delete[] values; }
double Sums::run(const double *x) {
  double s = 0;
  for (int i = 0; i < n; i++) {
    values[i] = x[i] * x[n - 1 - i];
    s += values[i] * values[0];
  }
  return s;
}
extern "C" double constructed(const double *x, int n)
{
  Sums sums(n);
  return sums.run(x);
}

extern "C" {
double gain = 2;
extern double same_gain __attribute__((alias("gain")));
double table[4] = {1, 2, 3, 4};
extern double same_table[4] __attribute__((alias("table")));
__attribute__((noinline)) double scaled(double x) { return x * x * same_gain; }
double same_scaled(double x) __attribute__((alias("scaled")));
}
extern "C" double named_twice(const double *x, int n)
{
  gain = x[0] * x[1];
  same_gain += x[2];
  double s = gain * gain + same_scaled(x[3]);
  table[1] = s;
  s += same_table[1] * x[4];
  same_table[n & 3] = x[5];
  return s * table[2];
}
