/* Nested structs with numbers and floats beside each other, in arrays, passed by pointer. */
typedef struct { double x[2]; } Point;
typedef struct { int kind; Point from, to; float width; char open; } Segment;
typedef struct { int count; Segment segments[6]; double total; } Path;

__attribute__((noinline)) static void build(Path *path, const double *x, int n)
{
    path->count = n - 1;
    path->total = 0;
    for (int i = 0; i < n - 1; i++) {
        Segment *s = &path->segments[i];
        s->kind = i % 3;
        s->from.x[0] = x[2 * i];
        s->from.x[1] = x[2 * i + 1];
        s->to.x[0] = x[2 * i + 2];
        s->to.x[1] = x[2 * i + 3];
        s->width = 0.5f + i;
        s->open = i % 2 == 0;
    }
}

__attribute__((noinline)) static double measure(const Segment *s)
{
    double dx = s->to.x[0] - s->from.x[0], dy = s->to.x[1] - s->from.x[1];
    switch (s->kind) {
    case 0: return dx * dx + dy * dy;
    case 1: return dx * dy * s->width;
    default: return s->open ? dx * dx * dx : dy;
    }
}

double struct_nested(const double *x, int n)
{
    Path path;
    build(&path, x, n);
    for (int i = 0; i < path.count; i++)
        path.total += measure(&path.segments[i]) * (i + 1);
    return path.total;
}
