// Strings that hold the bytes of numbers: nobody follows these.
#include <cstring>
#include <string>

static void put(std::string &s, double v) { s.append(reinterpret_cast<const char *>(&v), sizeof v); }

extern "C" double appended(const double *x, int n)
{
    std::string s;
    for (int i = 0; i < n; i++) put(s, x[i] * x[i]);
    double sum = 0;
    for (int i = 0; i < n; i++) {
        double v;
        std::memcpy(&v, s.data() + 8 * i, 8);
        sum += v * (i + 1);
    }
    return sum;
}

extern "C" double copied(const double *x, int n)
{
    std::string s(8 * n, '\0');
    for (int i = 0; i < n; i++) {
        double v = x[i] * x[i];
        std::memcpy(&s[8 * i], &v, 8);
    }
    double sum = 0;
    for (int i = 0; i < n; i++) {
        double v;
        s.copy(reinterpret_cast<char *>(&v), 8, 8 * i);
        sum += v * (i + 1);
    }
    return sum;
}

extern "C" double pushed(const double *x, int n)
{
    double y[8], z[8];
    for (int i = 0; i < n; i++) y[i] = x[i] * x[i];
    std::string s;
    for (int i = 0; i < 8 * n; i++) s.push_back(reinterpret_cast<const char *>(y)[i]);
    for (int i = 0; i < 8 * n; i++) reinterpret_cast<char *>(z)[i] = s[i];
    double sum = 0;
    for (int i = 0; i < n; i++) sum += z[i] * (i + 1);
    return sum;
}
