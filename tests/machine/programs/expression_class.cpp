// A class that owns memory: copied, moved, assigned and freed by its destructor.
#include <utility>

class Vector {
    double *data_;
    int size_;

public:
    explicit Vector(int n) : data_(new double[n]()), size_(n) {}
    Vector(const Vector &v) : Vector(v.size_) { for (int i = 0; i < size_; i++) data_[i] = v.data_[i]; }
    Vector(Vector &&v) : data_(std::exchange(v.data_, nullptr)), size_(v.size_) {}
    Vector &operator=(Vector v) { std::swap(data_, v.data_); return *this; }
    ~Vector() { delete[] data_; }
    double &operator[](int i) { return data_[i]; }
    double operator[](int i) const { return data_[i]; }
    friend Vector operator+(Vector a, const Vector &b) { for (int i = 0; i < a.size_; i++) a[i] += b[i]; return a; }
    friend Vector operator*(Vector a, const Vector &b) { for (int i = 0; i < a.size_; i++) a[i] *= b[i]; return a; }
    double sum() const { double s = 0; for (int i = 0; i < size_; i++) s += data_[i]; return s; }
};

extern "C" double expression_class(const double *x, int n)
{
    Vector a(n), b(n);
    for (int i = 0; i < n; i++) {
        a[i] = x[i];
        b[i] = x[n - 1 - i] * 0.5;
    }
    Vector c = a * b + a;
    for (int round = 0; round < 3; round++)
        c = c * b + a;
    return c.sum();
}
