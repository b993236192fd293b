/* Text and numbers in one struct, lists with ends, and jumps by a table of labels: what parsers and interpreters are made of. */
#include <stdlib.h>
#include <string.h>

typedef struct Item {
    char name[8];
    double value;
    struct Item *first, *next;
} Item;

/* The end of a list is a pointer to a pointer: a member of the one, then another member of the next. */
__attribute__((noinline)) static Item *parse(const char **at, const double *x, int n)
{
    Item *item = calloc(1, sizeof *item);
    int used = 0;
    while (**at >= 'a' && **at <= 'z') {
        if (used < 7) item->name[used++] = **at;
        ++*at;
    }
    char *end;
    item->value = strtod(*at, &end) * x[used % n];
    *at = end;
    if (**at == '(') {
        Item **last = &item->first;
        do {
            ++*at;
            *last = parse(at, x, n);
            last = &(*last)->next;
        } while (**at == ',');
        ++*at;
    }
    return item;
}
static double total(Item *item, double weight)
{
    double sum = weight * item->value * item->value + (item->name[0] - 'a');
    for (Item *k = item->first, *next; k; k = next) next = k->next, sum += total(k, weight * item->value);
    free(item);
    return sum;
}
double named_items(const double *x, int n)
{
    const char *text = "ab2(c3,def0.5(g1.25,hijklmnopq2),rs1.5)";
    return total(parse(&text, x, n), 1);
}

/* A token is copied up to its room. */
typedef struct {
    const char *at;
    double value;
    char token[12];
    int count;
} Reader;
__attribute__((noinline)) static int advance(Reader *r)
{
    const char *begin = r->at;
    while (*r->at && *r->at != ' ') r->at++;
    size_t length = r->at - begin < 11 ? r->at - begin : 11;
    memcpy(r->token, begin, length);
    r->token[length] = 0;
    while (*r->at == ' ') r->at++;
    r->count++;
    return length > 0;
}
double tokens(const double *x, int n)
{
    Reader r = {.at = "add mul add square-all-of-it mul add", .value = x[0]};
    while (advance(&r)) {
        double v = x[r.count % n];
        if (!strcmp(r.token, "add")) r.value += v;
        else if (!strcmp(r.token, "mul")) r.value *= v;
        else if (!strcmp(r.token, "square-all-")) r.value *= r.value;
    }
    return r.value * r.count;
}

double labels(const double *x, int n)
{
    static const void *const table[] = {&&add, &&mul, &&twice, &&stop};
    static const char code[] = {0, 1, 2, 0, 2, 1, 1, 3};
    const char *at = code;
    double v = 1;
    int i = 0;
#define GO goto *table[(int)*at++]
    GO;
add: v += x[i++ % n]; GO;
mul: v *= x[i++ % n]; GO;
twice: v = v * v + v; GO;
stop: return v;
}

/* Distances of labels instead of their addresses. */
double relative_labels(const double *x, int n)
{
    static const int table[] = {&&add - &&add, &&mul - &&add, &&stop - &&add};
    double v = 1;
    int i = 0, k = 0;
next: goto *(&&add + table[k++ < 2 * n ? k % 2 : 2]);
add: v += x[i++ % n]; goto next;
mul: v *= x[i++ % n]; goto next;
stop: return v;
}
