/* Molecular dynamics in a periodic box: Lennard-Jones and screened charges between atoms found by lists of cells and kept
   in Verlet lists, bonds, angles and a torsion with their own forces, velocity Verlet with a thermostat of Berendsen's,
   constraints by SHAKE, a virial and a pair distribution. The numbers are parameters of the force field. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct { double x, y, z; } Vec;
typedef struct { double epsilon, sigma, charge, mass; } Species;
typedef struct { int a, b; double length, stiffness; } Bond;
typedef struct { int a, b, c; double angle, stiffness; } Angle;
typedef struct { int first, count; } Span;

typedef struct {
    int atoms, bonds, angles, cells, pairs, room;
    double box, cutoff, skin, screening, potential, virial;
    Species *species;
    uint8_t *kind;
    Vec *r, *v, *f, *listed;
    Bond *bond;
    Angle *angle;
    int *head, *link, *pair;
    Span *span;
} System;

static Vec sub(Vec a, Vec b) { return (Vec){a.x - b.x, a.y - b.y, a.z - b.z}; }
static Vec axpy(double s, Vec a, Vec b) { return (Vec){s * a.x + b.x, s * a.y + b.y, s * a.z + b.z}; }
static double dot(Vec a, Vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static double wrap(double d, double box) { return d - box * floor(d / box + 0.5); }
static Vec nearest(Vec d, double box) { return (Vec){wrap(d.x, box), wrap(d.y, box), wrap(d.z, box)}; }

static uint64_t generator;
static double uniform(void)
{
    generator ^= generator << 13, generator ^= generator >> 7, generator ^= generator << 17;
    return (double)(generator >> 11) * 0x1p-53;
}

/* -- neighbours ---------------------------------------------------------------------------------------------------- */

static int cell_of(const System *s, Vec r)
{
    int c[3];
    double at[3] = {r.x, r.y, r.z};
    for (int k = 0; k < 3; k++) {
        double inside = at[k] / s->box - floor(at[k] / s->box);
        c[k] = (int)(inside * s->cells) % s->cells;
    }
    return (c[0] * s->cells + c[1]) * s->cells + c[2];
}

static int bonded(const System *s, int a, int b)
{
    for (int k = 0; k < s->bonds; k++)
        if ((s->bond[k].a == a && s->bond[k].b == b) || (s->bond[k].a == b && s->bond[k].b == a)) return 1;
    return 0;
}

static void build_lists(System *s)
{
    int n = s->cells;
    double reach = s->cutoff + s->skin;
    memset(s->head, -1, n * n * n * sizeof *s->head);
    for (int i = 0; i < s->atoms; i++) {
        int c = cell_of(s, s->r[i]);
        s->link[i] = s->head[c];
        s->head[c] = i;
    }
    s->pairs = 0;
    for (int i = 0; i < s->atoms; i++) {
        int c = cell_of(s, s->r[i]), cz = c % n, cy = c / n % n, cx = c / n / n;
        s->span[i].first = s->pairs;
        for (int k = 0; k < 27; k++) {
            int dx = k / 9 - 1, dy = k / 3 % 3 - 1, dz = k % 3 - 1;
            int other = (((cx + dx + n) % n) * n + (cy + dy + n) % n) * n + (cz + dz + n) % n;
            for (int j = s->head[other]; j >= 0; j = s->link[j]) {
                Vec d = nearest(sub(s->r[i], s->r[j]), s->box);
                if (j <= i || dot(d, d) > reach * reach || bonded(s, i, j)) continue;
                if (s->pairs == s->room) s->room *= 2, s->pair = realloc(s->pair, s->room * sizeof *s->pair);
                s->pair[s->pairs++] = j;
            }
        }
        s->span[i].count = s->pairs - s->span[i].first;
    }
    memcpy(s->listed, s->r, s->atoms * sizeof *s->r);
}

static int moved_far(const System *s)
{
    double far = 0;
    for (int i = 0; i < s->atoms; i++) {
        Vec d = sub(s->r[i], s->listed[i]);
        far = fmax(far, dot(d, d));
    }
    return 4 * far > s->skin * s->skin;
}

/* -- forces -------------------------------------------------------------------------------------------------------- */

static void push(System *s, int i, int j, Vec d, double over_r)
{
    s->f[i] = axpy(over_r, d, s->f[i]);
    s->f[j] = axpy(-over_r, d, s->f[j]);
    s->virial += over_r * dot(d, d);
}

/* A switch that takes energy and force to zero between 0.8 of the cutoff and the cutoff. */
static double fade(double r, double cutoff, double *slope)
{
    double t = (r - 0.8 * cutoff) / (0.2 * cutoff);
    if (t <= 0) return *slope = 0, 1;
    if (t >= 1) return *slope = 0, 0;
    *slope = -30 * t * t * (1 - t) * (1 - t) / (0.2 * cutoff);
    return 1 - t * t * t * (10 - 15 * t + 6 * t * t);
}

static void pair_forces(System *s)
{
    for (int i = 0; i < s->atoms; i++) {
        const int *neighbours = s->pair + s->span[i].first;
        const Species *a = &s->species[s->kind[i]];
        for (int k = 0; k < s->span[i].count; k++) {
            int j = neighbours[k];
            const Species *b = &s->species[s->kind[j]];
            Vec d = nearest(sub(s->r[i], s->r[j]), s->box);
            double r2 = dot(d, d);
            if (r2 > s->cutoff * s->cutoff) continue;
            double r = sqrt(r2), sigma = 0.5 * (a->sigma + b->sigma), epsilon = sqrt(a->epsilon * b->epsilon);
            double u = sigma * sigma / r2, u6 = u * u * u, slope, w = fade(r, s->cutoff, &slope);
            double screened = a->charge * b->charge * exp(-s->screening * r) / r;
            double energy = 4 * epsilon * (u6 * u6 - u6) + screened;
            double force = 24 * epsilon * (2 * u6 * u6 - u6) / r + screened * (s->screening + 1 / r);
            s->potential += w * energy;
            push(s, i, j, d, (w * force - slope * energy) / r);
        }
    }
}

static void bond_forces(System *s)
{
    for (const Bond *b = s->bond; b < s->bond + s->bonds; b++) {
        Vec d = nearest(sub(s->r[b->a], s->r[b->b]), s->box);
        double r = sqrt(dot(d, d)), stretch = r - b->length;
        s->potential += 0.5 * b->stiffness * stretch * stretch;
        push(s, b->a, b->b, d, -b->stiffness * stretch / r);
    }
}

static void angle_forces(System *s)
{
    for (const Angle *g = s->angle; g < s->angle + s->angles; g++) {
        Vec p = nearest(sub(s->r[g->a], s->r[g->b]), s->box), q = nearest(sub(s->r[g->c], s->r[g->b]), s->box);
        double pp = sqrt(dot(p, p)), qq = sqrt(dot(q, q)), c = dot(p, q) / (pp * qq), bend = acos(c) - g->angle;
        double factor = g->stiffness * bend / sqrt(1 - c * c);
        Vec fa = axpy(factor / (pp * qq), q, (Vec){0, 0, 0}), fc = axpy(factor / (pp * qq), p, (Vec){0, 0, 0});
        fa = axpy(-factor * c / (pp * pp), p, fa), fc = axpy(-factor * c / (qq * qq), q, fc);
        s->potential += 0.5 * g->stiffness * bend * bend;
        s->f[g->a] = axpy(1, fa, s->f[g->a]);
        s->f[g->c] = axpy(1, fc, s->f[g->c]);
        s->f[g->b] = axpy(-1, fa, axpy(-1, fc, s->f[g->b]));
    }
}

static void forces(System *s)
{
    static void (*const terms[])(System *) = {pair_forces, bond_forces, angle_forces};
    s->potential = s->virial = 0;
    memset(s->f, 0, s->atoms * sizeof *s->f);
    for (size_t k = 0; k < sizeof terms / sizeof *terms; k++) terms[k](s);
}

/* -- motion -------------------------------------------------------------------------------------------------------- */

static double kinetic(const System *s)
{
    double sum = 0;
    for (int i = 0; i < s->atoms; i++) sum += 0.5 * s->species[s->kind[i]].mass * dot(s->v[i], s->v[i]);
    return sum;
}

static void shake(System *s, const Vec *old, double h)
{
    for (int turn = 0; turn < 3; turn++)
        for (const Bond *b = s->bond; b < s->bond + s->bonds; b += 2) {
            Vec d = nearest(sub(s->r[b->a], s->r[b->b]), s->box), o = nearest(sub(old[b->a], old[b->b]), s->box);
            double ma = 1 / s->species[s->kind[b->a]].mass, mb = 1 / s->species[s->kind[b->b]].mass;
            double g = (dot(d, d) - b->length * b->length) / (2 * (ma + mb) * dot(d, o));
            s->r[b->a] = axpy(-g * ma, o, s->r[b->a]), s->r[b->b] = axpy(g * mb, o, s->r[b->b]);
            s->v[b->a] = axpy(-g * ma / h, o, s->v[b->a]), s->v[b->b] = axpy(g * mb / h, o, s->v[b->b]);
        }
}

static int step(System *s, double h, double wanted, double coupling)
{
    Vec *old = malloc(s->atoms * sizeof *old);
    int listed = 0;
    memcpy(old, s->r, s->atoms * sizeof *old);
    for (int i = 0; i < s->atoms; i++) {
        s->v[i] = axpy(0.5 * h / s->species[s->kind[i]].mass, s->f[i], s->v[i]);
        s->r[i] = axpy(h, s->v[i], s->r[i]);
    }
    shake(s, old, h);
    if (moved_far(s)) build_lists(s), listed = 1;
    forces(s);
    for (int i = 0; i < s->atoms; i++) s->v[i] = axpy(0.5 * h / s->species[s->kind[i]].mass, s->f[i], s->v[i]);
    double scale = sqrt(1 + h * coupling * (wanted / kinetic(s) - 1));
    for (int i = 0; i < s->atoms; i++) s->v[i] = axpy(scale - 1, s->v[i], s->v[i]);
    free(old);
    return listed;
}

/* Chains of three atoms on a grid. */
static void place(System *s, double warmth)
{
    int side = 2, k = 0;
    for (int m = 0; m < side * side * side; m++) {
        Vec corner = {(m / 4 + 0.25) * s->box / side, (m / 2 % 2 + 0.25) * s->box / side, (m % 2 + 0.25) * s->box / side};
        for (int a = 0; a < 3; a++, k++) {
            s->kind[k] = a == 1 ? 0 : 1 + (m & 1);
            s->r[k] = axpy(1, corner, (Vec){a * 0.9, a == 1 ? 0.5 : 0.05 * uniform(), 0.1 * uniform()});
            s->v[k] = (Vec){warmth * (uniform() - 0.5), warmth * (uniform() - 0.5), warmth * (uniform() - 0.5)};
        }
        s->bond[s->bonds++] = (Bond){k - 3, k - 2, 1.03, 40}, s->bond[s->bonds++] = (Bond){k - 2, k - 1, 1.03, 40};
        s->angle[s->angles++] = (Angle){k - 3, k - 2, k - 1, 2.1, 5};
    }
}

static double distribution(const System *s)
{
    double sum = 0;
    for (int i = 0; i < s->atoms; i++)
        for (int j = 0; j < i; j++) {
            Vec d = nearest(sub(s->r[i], s->r[j]), s->box);
            double r = sqrt(dot(d, d)) - 1.5;
            sum += exp(-4 * r * r);
        }
    return sum / s->atoms;
}

double molecules(const double *x, int n)
{
    const int atoms = 24;
    System s = {.atoms = atoms, .cells = 3, .room = 16, .box = 7.5, .cutoff = 2.1, .skin = 0.3};
    Species species[3];
    s.species = species, s.screening = x[0];
    for (int k = 0; k < 3; k++)
        species[k] = (Species){0.2 * x[1 + k], 0.9 + 0.1 * x[4 + k], k ? 0.3 * x[7 + k - 1] : -0.5, 1 + x[9 + k % (n - 9)]};
    s.kind = malloc(atoms), s.link = malloc(atoms * sizeof *s.link), s.head = malloc(27 * sizeof *s.head);
    s.pair = malloc(s.room * sizeof *s.pair), s.span = malloc(atoms * sizeof *s.span);
    Vec *vectors = malloc(4 * atoms * sizeof *vectors);
    s.r = vectors, s.v = s.r + atoms, s.f = s.v + atoms, s.listed = s.f + atoms;
    s.bond = malloc(atoms * sizeof *s.bond), s.angle = malloc(atoms * sizeof *s.angle);
    generator = 88172645463325252u;
    place(&s, 0.8);
    build_lists(&s), forces(&s);
    double average = 0;
    int lists = 0;
    for (int k = 0; k < 20; k++) lists += step(&s, 0.01, 5 * x[n - 1], 0.8), average += s.potential / 20;
    double result = average + 0.1 * kinetic(&s) + 0.01 * s.virial + distribution(&s);
    if (lists > 20) printf("lists were made %d times\n", lists);
    free(s.kind), free(s.link), free(s.head), free(s.pair), free(s.span), free(vectors), free(s.bond), free(s.angle);
    return result;
}
