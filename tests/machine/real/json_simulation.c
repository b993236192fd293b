/* A plant described by a JSON text: tanks, pipes, heaters and controllers that are looked up by name, and a schedule of
   what is asked of them. The text is cut into tokens that point into it, as small parsers do, and the plant is made of
   these; numbers may be names of parameters ("$3"), which are given. It is integrated by Heun's method with steps of the
   text's own choosing, and what is returned is what running it costs. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- JSON ------------------------------------------------------------------------------------------------------------ */

typedef enum { OBJECT, ARRAY, STRING, PRIMITIVE } Kind;

typedef struct {
    Kind kind;
    int begin, end; /* in the text */
    int size;       /* how many members, or elements */
    int next;       /* the token after all that is inside this one */
} Token;

typedef struct {
    const char *text;
    int at;
    Token *tokens;
    int used, room;
    const char *error;
} Parser;

static int make(Parser *p, Kind kind, int begin)
{
    if (p->used == p->room) {
        p->room = p->room ? 2 * p->room : 16;
        p->tokens = realloc(p->tokens, p->room * sizeof *p->tokens);
    }
    p->tokens[p->used] = (Token){.kind = kind, .begin = begin};
    return p->used++;
}

static void skip(Parser *p)
{
    while (p->text[p->at] && strchr(" \t\r\n", p->text[p->at])) p->at++;
}

static int expect(Parser *p, char c)
{
    skip(p);
    if (p->text[p->at] != c) {
        if (!p->error) p->error = p->text + p->at;
        return 0;
    }
    p->at++;
    return 1;
}

static void value(Parser *p);

static void string(Parser *p)
{
    if (!expect(p, '"')) return;
    int t = make(p, STRING, p->at);
    while (p->text[p->at] && p->text[p->at] != '"') p->at += p->text[p->at] == '\\' ? 2 : 1;
    p->tokens[t].end = p->at;
    expect(p, '"');
    p->tokens[t].next = p->used;
}

static void members(Parser *p, Kind kind)
{
    char close = kind == OBJECT ? '}' : ']';
    int t = make(p, kind, p->at++), size = 0;
    for (skip(p); p->text[p->at] != close && !p->error; skip(p)) {
        if (size && !expect(p, ',')) return;
        if (kind == OBJECT) {
            skip(p);
            string(p);
            if (!expect(p, ':')) return;
        }
        value(p);
        size++;
    }
    p->at++;
    p->tokens[t].end = p->at, p->tokens[t].size = size, p->tokens[t].next = p->used;
}

static void value(Parser *p)
{
    skip(p);
    char c = p->text[p->at];
    if (c == '{' || c == '[') {
        members(p, c == '{' ? OBJECT : ARRAY);
    } else if (c == '"') {
        string(p);
    } else {
        int t = make(p, PRIMITIVE, p->at);
        while (p->text[p->at] && !strchr(",]} \n\t\r", p->text[p->at])) p->at++;
        if (p->at == p->tokens[t].begin && !p->error) p->error = p->text + p->at;
        p->tokens[t].end = p->at, p->tokens[t].next = p->used;
    }
}

typedef struct {
    const char *text;
    const Token *tokens;
    const double *parameters;
    int count;
} Document;

static int is(const Document *d, int t, const char *word)
{
    int length = d->tokens[t].end - d->tokens[t].begin;
    return (int)strlen(word) == length && !strncmp(d->text + d->tokens[t].begin, word, length);
}

/* The token of a member's value, or -1. */
static int member(const Document *d, int object, const char *name)
{
    int t = object + 1;
    for (int k = 0; k < d->tokens[object].size; k++, t = d->tokens[t + 1].next)
        if (is(d, t, name)) return t + 1;
    return -1;
}

static int element(const Document *d, int array, int k)
{
    int t = array + 1;
    while (k--) t = d->tokens[t].next;
    return t;
}

/* A number as it stands, or a parameter. */
static double number(const Document *d, int t, double otherwise)
{
    if (t < 0) return otherwise;
    const char *at = d->text + d->tokens[t].begin;
    if (d->tokens[t].kind == STRING && *at == '$') return d->parameters[atoi(at + 1) % d->count];
    return strtod(at, NULL);
}

/* -- the plant ------------------------------------------------------------------------------------------------------- */

typedef struct {
    const char *name;
    int length;
    double area, level, temperature, loss;
} Tank;

typedef struct {
    int from, to; /* tanks; -1 is outside */
    double conductance, opening, exponent;
} Pipe;

typedef struct Device Device;
struct Device {
    Device *next;
    int tank, pipe;
    double gain, reset, target, memory, most;
    double (*act)(Device *self, const Tank *tank, double step); /* how much power it takes */
};

typedef struct {
    Tank *tanks;
    Pipe *pipes;
    int n_tanks, n_pipes;
    Device *devices;
    double outside, price;
} Plant;

/* Between 0 and the most, smoothly. */
static double limited(double wanted, double most) { return most / (1 + exp(-4 * wanted / most + 2)); }

static double heat(Device *self, const Tank *tank, double step)
{
    double miss = self->target - tank->temperature;
    self->memory += miss * step;
    return limited(self->gain * (miss + self->memory / self->reset), self->most);
}

static double stir(Device *self, const Tank *tank, double step)
{
    (void)step;
    return self->gain * tank->level * tank->level / (1 + tank->level);
}

static int tank_of(const Document *d, const Plant *plant, int t)
{
    for (int k = 0; t >= 0 && k < plant->n_tanks; k++) {
        int length = d->tokens[t].end - d->tokens[t].begin;
        if (plant->tanks[k].length == length && !strncmp(plant->tanks[k].name, d->text + d->tokens[t].begin, length))
            return k;
    }
    return -1;
}

static void build(Plant *plant, const Document *d)
{
    int tanks = member(d, 0, "tanks"), pipes = member(d, 0, "pipes"), devices = member(d, 0, "devices");
    plant->outside = number(d, member(d, 0, "outside"), 10);
    plant->price = number(d, member(d, 0, "price"), 1);
    plant->tanks = calloc(d->tokens[tanks].size, sizeof *plant->tanks);
    for (int k = 0; k < d->tokens[tanks].size; k++) {
        int t = element(d, tanks, k), name = member(d, t, "name");
        plant->tanks[plant->n_tanks++] = (Tank){
            .name = d->text + d->tokens[name].begin,
            .length = d->tokens[name].end - d->tokens[name].begin,
            .area = number(d, member(d, t, "area"), 1),
            .level = number(d, member(d, t, "level"), 0.5),
            .temperature = number(d, member(d, t, "temperature"), 20),
            .loss = number(d, member(d, t, "loss"), 0.1),
        };
    }
    plant->pipes = calloc(d->tokens[pipes].size, sizeof *plant->pipes);
    for (int k = 0; k < d->tokens[pipes].size; k++) {
        int t = element(d, pipes, k);
        plant->pipes[plant->n_pipes++] = (Pipe){
            .from = tank_of(d, plant, member(d, t, "from")),
            .to = tank_of(d, plant, member(d, t, "to")),
            .conductance = number(d, member(d, t, "conductance"), 0.2),
            .opening = 1,
            .exponent = number(d, member(d, t, "exponent"), 0.5),
        };
    }
    for (int k = 0; k < d->tokens[devices].size; k++) {
        int t = element(d, devices, k);
        Device *made = malloc(sizeof *made);
        *made = (Device){
            .next = plant->devices,
            .tank = tank_of(d, plant, member(d, t, "tank")),
            .gain = number(d, member(d, t, "gain"), 1),
            .reset = number(d, member(d, t, "reset"), 5),
            .target = number(d, member(d, t, "target"), 25),
            .most = number(d, member(d, t, "most"), 4),
            .act = is(d, member(d, t, "kind"), "heater") ? heat : stir,
        };
        plant->devices = made;
    }
}

static void demolish(Plant *plant)
{
    for (Device *d = plant->devices, *next; d; d = next) next = d->next, free(d);
    free(plant->tanks), free(plant->pipes);
}

/* -- time ------------------------------------------------------------------------------------------------------------ */

static void rates(const Plant *plant, const Tank *tanks, const double *power, double *level, double *warmth)
{
    for (int k = 0; k < plant->n_tanks; k++) {
        level[k] = 0;
        warmth[k] = power[k] - tanks[k].loss * (tanks[k].temperature - plant->outside);
    }
    for (int k = 0; k < plant->n_pipes; k++) {
        const Pipe *p = &plant->pipes[k];
        double head = (p->from < 0 ? 1.5 : tanks[p->from].level) - (p->to < 0 ? 0 : tanks[p->to].level);
        double flow = p->opening * p->conductance * head * pow(head * head + 0.01, (p->exponent - 1) / 2);
        double carried = flow * (p->from < 0 ? plant->outside : tanks[p->from].temperature);
        if (p->from >= 0) level[p->from] -= flow;
        if (p->to >= 0) {
            level[p->to] += flow;
            warmth[p->to] += carried - flow * tanks[p->to].temperature;
        }
    }
    for (int k = 0; k < plant->n_tanks; k++) {
        level[k] /= tanks[k].area;
        warmth[k] /= tanks[k].area * (0.2 + fabs(tanks[k].level));
    }
}

static double operate(Plant *plant, double step)
{
    int n = plant->n_tanks;
    double power[n], level[2][n], warmth[2][n], cost = 0;
    Tank guess[n];
    memset(power, 0, sizeof power);
    for (Device *d = plant->devices; d; d = d->next) {
        double taken = d->act(d, &plant->tanks[d->tank], step);
        power[d->tank] += taken;
        cost += plant->price * taken * step;
    }
    rates(plant, plant->tanks, power, level[0], warmth[0]);
    memcpy(guess, plant->tanks, sizeof guess);
    for (int k = 0; k < n; k++) guess[k].level += step * level[0][k], guess[k].temperature += step * warmth[0][k];
    rates(plant, guess, power, level[1], warmth[1]);
    for (int k = 0; k < n; k++) {
        plant->tanks[k].level += step / 2 * (level[0][k] + level[1][k]);
        plant->tanks[k].temperature += step / 2 * (warmth[0][k] + warmth[1][k]);
    }
    return cost;
}

static double follow(Plant *plant, const Document *d)
{
    int schedule = member(d, 0, "schedule");
    double cost = 0;
    for (int k = 0; k < d->tokens[schedule].size; k++) {
        int t = element(d, schedule, k), goal = member(d, t, "goal"), valve = member(d, t, "valve");
        double step = number(d, member(d, t, "step"), 0.1);
        int steps = (int)number(d, member(d, t, "steps"), 10);
        if (valve >= 0)
            plant->pipes[(int)number(d, element(d, valve, 0), 0)].opening = number(d, element(d, valve, 1), 1);
        while (steps--) cost += operate(plant, step);
        if (goal >= 0) {
            int tank = tank_of(d, plant, element(d, goal, 0));
            double miss = plant->tanks[tank].temperature - number(d, element(d, goal, 1), 20);
            cost += number(d, member(d, t, "weight"), 1) * miss * miss / 100;
        }
    }
    return cost;
}

static const char *description =
    "{\"outside\": 12, \"price\": \"$0\",\n"
    " \"tanks\": [{\"name\": \"mixer\", \"area\": \"$1\", \"level\": 0.8, \"temperature\": 18, \"loss\": \"$2\"},\n"
    "            {\"name\": \"buffer\", \"area\": 1.4, \"level\": \"$3\", \"temperature\": 15},\n"
    "            {\"name\": \"outlet\", \"area\": 0.7, \"level\": 0.2, \"loss\": 0.05}],\n"
    " \"pipes\": [{\"to\": \"mixer\", \"conductance\": \"$4\"},\n"
    "            {\"from\": \"mixer\", \"to\": \"buffer\", \"conductance\": 0.5, \"exponent\": 0.6},\n"
    "            {\"from\": \"buffer\", \"to\": \"outlet\", \"conductance\": \"$5\"},\n"
    "            {\"from\": \"outlet\", \"conductance\": 0.3}],\n"
    " \"devices\": [{\"kind\": \"heater\", \"tank\": \"mixer\", \"gain\": \"$6\", \"target\": 30, \"most\": 6},\n"
    "              {\"kind\": \"stirrer\", \"tank\": \"buffer\", \"gain\": \"$7\"},\n"
    "              {\"kind\": \"heater\", \"tank\": \"outlet\", \"gain\": 0.8, \"reset\": \"$8\", \"target\": 24}],\n"
    " \"schedule\": [{\"steps\": 12, \"step\": 0.1, \"goal\": [\"mixer\", 24]},\n"
    "               {\"steps\": 20, \"valve\": [1, \"$9\"], \"goal\": [\"buffer\", 20], \"weight\": \"$10\"},\n"
    "               {\"steps\": 15, \"step\": 0.2, \"valve\": [3, \"$11\"], \"goal\": [\"outlet\", 22], \"weight\": 2}]}";

double json_simulation(const double *x, int n)
{
    Parser parser = {.text = description};
    value(&parser);
    if (parser.error) {
        fprintf(stderr, "unexpected: %.20s\n", parser.error);
        free(parser.tokens);
        return 0;
    }
    Document document = {description, parser.tokens, x, n};
    Plant plant = {0};
    build(&plant, &document);
    double cost = follow(&plant, &document);
    demolish(&plant), free(parser.tokens);
    return cost;
}
