// Pointers to members of classes: structs of two integers, the first of which is the address of a function.
struct Three {
    double a[3];
    double first() const { return a[0] * a[1]; }
    double last() const { return a[2] * a[1] * a[1]; }
};
typedef double (Three::*Member)() const;
struct Weighed {
    Member of;
    double by;
};

__attribute__((noinline)) static Member chosen() { return &Three::last; }
__attribute__((noinline)) static double called(Member m, const Three &t) { return (t.*m)(); }

extern "C" double f(const double *x, long n)
{
    static Member table[] = {&Three::first, &Three::last};
    Three t = {{x[0], x[1], x[2]}};
    Member local = &Three::first, turned[] = {table[1], table[0]}, member = chosen();
    Weighed weighed = {&Three::first, x[3]}, other = weighed;
    other.of = &Three::last;
    if (n > 4)
        weighed = other;
    double sum = (t.*local)() * x[4] + called(&Three::first, t) * (t.*weighed.of)() * weighed.by;
    for (long i = 0; i < n; i++)
        sum = 0.5 * sum + (t.*turned[i % 2])() * x[i];
    return sum * (t.*member)();
}
