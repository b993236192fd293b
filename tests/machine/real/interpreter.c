/* A small language of formulas: a lexer, a parser by precedence that writes bytecode, a symbol table, folding of constants,
   functions of one's own with frames, and a stack machine whose instructions jump from one to the next by a table of labels.
   The text is a program; the numbers are what its names x0, x1, … stand for. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PUSH, LOAD, STORE, ADD, SUB, MUL, DIV, POW, NEG, LESS, JUMP, JUMP_IF_NOT, BUILTIN, CALL, RETURN, LOCAL, POP, HALT };

typedef struct {
    int op, argument;
    double number;
} Code;

typedef double Unary(double);
typedef struct {
    const char *name;
    Unary *function;
} Builtin;

static double square(double v) { return v * v; }
static double ramp(double v) { return v > 0 ? v : 0.01 * v; }
static double sigmoid(double v) { return 1 / (1 + exp(-v)); }

static const Builtin builtins[] = {{"sin", sin}, {"cos", cos}, {"exp", exp}, {"log", log}, {"sqrt", sqrt}, {"tanh", tanh},
                                   {"square", square}, {"ramp", ramp}, {"sigmoid", sigmoid}};
enum { BUILTINS = sizeof builtins / sizeof *builtins };

typedef struct Symbol {
    struct Symbol *next;
    char name[12];
    int index, entry; /* a function's entry, or -1 */
} Symbol;

typedef struct {
    const char *at;
    Code *code;
    int used, room, variables;
    Symbol *symbols, *locals;
    char token[12];
    double number;
    enum { END, NAME, NUMBER, SIGN } kind;
    const char *error;
} Compiler;

/* -- lexer --------------------------------------------------------------------------------------------------------- */

static void next(Compiler *c)
{
    while (isspace((unsigned char)*c->at)) c->at++;
    const char *begin = c->at;
    if (!*begin) {
        c->kind = END, c->token[0] = 0;
        return;
    }
    if (isalpha((unsigned char)*begin)) {
        while (isalnum((unsigned char)*c->at)) c->at++;
        c->kind = NAME;
    } else if (isdigit((unsigned char)*begin)) {
        char *end;
        c->number = strtod(begin, &end);
        c->at = end, c->kind = NUMBER;
    } else {
        c->at++, c->kind = SIGN;
    }
    size_t length = c->at - begin < 11 ? c->at - begin : 11;
    memcpy(c->token, begin, length);
    c->token[length] = 0;
}

static int accept(Compiler *c, const char *text)
{
    if (c->kind == END || c->kind == NUMBER || strcmp(c->token, text)) return 0;
    next(c);
    return 1;
}

static void expect(Compiler *c, const char *text)
{
    if (!accept(c, text) && !c->error) c->error = text;
}

/* -- compiler ------------------------------------------------------------------------------------------------------ */

static int emit(Compiler *c, int op, int argument, double number)
{
    if (c->used == c->room) {
        c->room = c->room ? 2 * c->room : 16;
        c->code = realloc(c->code, c->room * sizeof *c->code);
    }
    c->code[c->used] = (Code){op, argument, number};
    return c->used++;
}

static Symbol *find(Symbol *s, const char *name)
{
    while (s && strcmp(s->name, name)) s = s->next;
    return s;
}

static Symbol *declare(Compiler *c, Symbol **list, int index, int entry)
{
    Symbol *s = malloc(sizeof *s);
    strcpy(s->name, c->token);
    s->index = index, s->entry = entry, s->next = *list;
    return *list = s;
}

static void forget(Symbol **list)
{
    for (Symbol *s = *list, *after; s; s = after) after = s->next, free(s);
    *list = NULL;
}

static void expression(Compiler *c, int least);

static void primary(Compiler *c)
{
    if (c->kind == NUMBER) {
        emit(c, PUSH, 0, c->number);
        next(c);
    } else if (accept(c, "(")) {
        expression(c, 0);
        expect(c, ")");
    } else if (accept(c, "-")) {
        expression(c, 5);
        emit(c, NEG, 0, 0);
    } else if (c->kind == NAME) {
        Symbol *s = find(c->locals, c->token);
        if (s) {
            emit(c, LOCAL, s->index, 0), next(c);
            return;
        }
        for (int k = 0; k < BUILTINS; k++)
            if (!strcmp(builtins[k].name, c->token)) {
                next(c), expect(c, "("), expression(c, 0), expect(c, ")");
                emit(c, BUILTIN, k, 0);
                return;
            }
        s = find(c->symbols, c->token);
        if (!s) s = declare(c, &c->symbols, c->variables++, -1);
        next(c);
        if (s->entry < 0) {
            emit(c, LOAD, s->index, 0);
            return;
        }
        int count = 0;
        expect(c, "(");
        do expression(c, 0), count++;
        while (accept(c, ","));
        expect(c, ")");
        emit(c, CALL, s->entry, count);
    } else if (!c->error) {
        c->error = "a number, a name or a bracket";
        next(c);
    }
}

static void expression(Compiler *c, int least)
{
    static const struct { char sign; int level, op; } operators[] = {{'<', 1, LESS}, {'+', 2, ADD}, {'-', 2, SUB},
                                                                   {'*', 3, MUL},  {'/', 3, DIV}, {'^', 4, POW}};
    primary(c);
    while (c->kind == SIGN) {
        int found = -1;
        for (int k = 0; k < 6; k++)
            if (operators[k].sign == c->token[0] && operators[k].level > least) found = k;
        if (found < 0) return;
        next(c);
        expression(c, operators[found].op == POW ? 3 : operators[found].level);
        Code *last = c->code + c->used - 1;
        if (operators[found].op == MUL && last->op == PUSH && last[-1].op == PUSH) { /* fold what is constant */
            last[-1].number *= last->number, c->used--;
            continue;
        }
        emit(c, operators[found].op, 0, 0);
    }
}

static void statement(Compiler *c)
{
    if (accept(c, "while")) {
        int begin = c->used;
        expression(c, 0);
        int leave = emit(c, JUMP_IF_NOT, 0, 0);
        expect(c, "{");
        while (c->kind != END && !accept(c, "}")) statement(c);
        emit(c, JUMP, begin, 0);
        c->code[leave].argument = c->used;
    } else if (accept(c, "def")) {
        int over = emit(c, JUMP, 0, 0), count = 0;
        declare(c, &c->symbols, 0, c->used), next(c), expect(c, "(");
        do declare(c, &c->locals, count++, -1), next(c);
        while (accept(c, ","));
        expect(c, ")"), expect(c, "="), expression(c, 0), expect(c, ";");
        emit(c, RETURN, 0, 0);
        forget(&c->locals);
        c->code[over].argument = c->used;
    } else {
        Symbol *s = find(c->symbols, c->token);
        if (!s) s = declare(c, &c->symbols, c->variables++, -1);
        next(c), expect(c, "="), expression(c, 0), expect(c, ";");
        emit(c, STORE, s->index, 0);
    }
}

/* -- the machine --------------------------------------------------------------------------------------------------- */

typedef struct {
    const Code *back;
    double *frame;
} Frame;

static double run(const Code *code, double *variables)
{
    static const void *const labels[] = {&&push, &&load, &&store, &&add, &&sub, &&mul, &&div, &&pow, &&neg, &&less,
                                         &&jump, &&jump_if_not, &&builtin, &&call, &&ret, &&local, &&pop, &&halt};
    double stack[64], *top = stack, *frame = stack;
    Frame frames[16];
    int depth = 0;
    const Code *at = code;
#define NEXT goto *labels[(++at)->op]
    goto *labels[at->op];
push: *++top = at->number; NEXT;
load: *++top = variables[at->argument]; NEXT;
store: variables[at->argument] = *top--; NEXT;
add: top--, top[0] += top[1]; NEXT;
sub: top--, top[0] -= top[1]; NEXT;
mul: top--, top[0] *= top[1]; NEXT;
div: top--, top[0] /= top[1]; NEXT;
pow: top--, top[0] = pow(top[0], top[1]); NEXT;
neg: top[0] = -top[0]; NEXT;
less: top--, top[0] = top[0] < top[1]; NEXT;
jump: at = code + at->argument - 1; NEXT;
jump_if_not: if (*top-- == 0) at = code + at->argument - 1; NEXT;
builtin: *top = builtins[at->argument].function(*top); NEXT;
call:
    frames[depth].back = at, frames[depth++].frame = frame;
    frame = top - (int)at->number + 1;
    at = code + at->argument - 1;
    NEXT;
ret:
    frame[0] = *top, top = frame;
    frame = frames[--depth].frame, at = frames[depth].back;
    NEXT;
local: top[1] = frame[at->argument], top++; NEXT;
pop: top--; NEXT;
halt: return variables[at->argument];
}

static const char *program = "def soft(u, v) = log(exp(u) + exp(v)); def mix(u, v, w) = u * w + v * (1 - w);"
                             "def wave(t, k) = mix(sin(k * t), cos(t / k), sigmoid(t - 1)) * exp(-t / 4);"
                             "sum = 0; t = 0; i = 0; y = x0;"
                             "while i < 12 {"
                             "  t = t + 0.1 * x1;"
                             "  y = y + 0.1 * (x2 * soft(y, x3) - square(y) * x4 / (1 + y ^ 2));"
                             "  sum = sum + wave(t, x5 + i / 4) * y ^ x6 + ramp(y - x7) * 2 * 0.5;"
                             "  j = 0;"
                             "  while j < i { sum = sum + 0.01 * sqrt(x8 + j) * tanh(x9 * y - x10); j = j + 4; }"
                             "  i = i + 1;"
                             "}"
                             "result = -sum / x11 + (y - -t) ^ 1.5 ^ 0.5;";

double interpreter(const double *x, int n)
{
    Compiler c = {.at = program};
    for (int k = 0; k < n; k++) {
        sprintf(c.token, "x%d", k);
        declare(&c, &c.symbols, c.variables++, -1);
    }
    next(&c);
    while (c.kind != END && !c.error) statement(&c);
    Symbol *result = find(c.symbols, "result");
    emit(&c, HALT, result ? result->index : 0, 0);
    double *variables = calloc(c.variables, sizeof *variables), value = 0;
    memcpy(variables, x, n * sizeof *variables);
    if (c.error) fprintf(stderr, "expected %s at: %.20s\n", c.error, c.at);
    else value = run(c.code, variables);
    free(variables), free(c.code), forget(&c.symbols);
    return value;
}
