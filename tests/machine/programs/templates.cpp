// Templates that recurse at compile time, and a matrix type of fixed size with operators.
template <int N, typename T> struct Polynomial {
    static T at(const T *c, T x) { return c[0] + x * Polynomial<N - 1, T>::at(c + 1, x); }
};
template <typename T> struct Polynomial<0, T> {
    static T at(const T *, T) { return T(0); }
};

template <typename T, int R, int C> struct Matrix {
    T data[R][C];
    template <int K> Matrix<T, R, K> operator*(const Matrix<T, C, K> &other) const
    {
        Matrix<T, R, K> out{};
        for (int i = 0; i < R; i++)
            for (int j = 0; j < K; j++)
                for (int k = 0; k < C; k++)
                    out.data[i][j] += data[i][k] * other.data[k][j];
        return out;
    }
};

extern "C" double templates(const double *x)
{
    Matrix<double, 2, 3> a;
    Matrix<double, 3, 2> b;
    for (int i = 0; i < 6; i++) {
        a.data[i / 3][i % 3] = x[i];
        b.data[i / 2][i % 2] = x[5 - i];
    }
    auto c = (a * b) * (a * b);
    return c.data[0][0] * c.data[1][1] - c.data[0][1] + Polynomial<6, double>::at(x, x[2]);
}
