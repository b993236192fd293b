/* Threads that are made by hand and joined: each function of x is run by several of them. */
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifdef ALONE /* the same program without threads */
#define pthread_create(thread, attributes, run, given) (*(thread) = (pthread_t)(run)(given), 0)
#define pthread_join(thread, result) ((void)((result) && (*(void **)(result) = (void *)(thread))))
#define pthread_exit(result) return result
#endif

typedef struct { const double *x; int from, to; double sum; } Job;

static void *sum_of(void *given)
{
    Job *job = given;
    for (int i = job->from; i < job->to; i++) job->sum += sin(job->x[i]) * job->x[i];
    return job;
}

/* Results are where they were asked for; all threads read x, and the first element in each turn. */
static void *relative(void *given)
{
    Job *job = given;
    for (int i = job->from; i < job->to; i++) job->sum += job->x[i] * job->x[0] + exp(job->x[i] / 4);
    return NULL;
}

double halves(const double *x, int n)
{
    Job jobs[2] = {{x, 0, n / 2, 0}, {x, n / 2, n, 0}};
    pthread_t threads[2];
    double product = 1;
    for (int k = 0; k < 2; k++) pthread_create(&threads[k], NULL, relative, &jobs[k]);
    for (int k = 0; k < 2; k++) {
        pthread_join(threads[k], NULL);
        product *= jobs[k].sum;
    }
    return product;
}

/* What threads give is what joins give. */
double results(const double *x, int n)
{
    int count = 3;
    Job *jobs = calloc(count, sizeof *jobs);
    pthread_t *threads = malloc(count * sizeof *threads);
    double product = 1;
    for (int k = 0; k < count; k++) {
        jobs[k] = (Job){x, n * k / count, n * (k + 1) / count, 0};
        pthread_create(&threads[k], NULL, sum_of, &jobs[k]);
    }
    for (int k = 0; k < count; k++) {
        void *done;
        pthread_join(threads[k], &done);
        product *= ((Job *)done)->sum;
    }
    free(jobs);
    free(threads);
    return product;
}

/* Memory that a thread takes, and that is given back where it is joined. */
static void *squares(void *given)
{
    Job *job = given;
    double *made = malloc((job->to - job->from) * sizeof *made);
    for (int i = job->from; i < job->to; i++) made[i - job->from] = job->x[i] * job->x[i] * job->x[1];
    return made;
}

double allocated(const double *x, int n)
{
    Job jobs[2] = {{x, 0, n / 2, 0}, {x, n / 2, n, 0}};
    pthread_t threads[2];
    double total = 0;
    for (int k = 0; k < 2; k++) pthread_create(&threads[k], NULL, squares, &jobs[k]);
    for (int k = 0; k < 2; k++) {
        void *made;
        pthread_join(threads[k], &made);
        for (int i = jobs[k].from; i < jobs[k].to; i++) total += sin(((double *)made)[i - jobs[k].from]) * x[i];
        free(made);
    }
    return total;
}

/* Who makes threads works beside them, and reads what they read: x, and weights of its own. */
typedef struct { const double *x, *weights; int n; double sum; } Weighted;

static void *weighted(void *given)
{
    Weighted *w = given;
    for (int i = 0; i < w->n; i++) w->sum += w->weights[i % 3] * w->x[i] * w->x[i];
    return NULL;
}

double beside(const double *x, int n)
{
    double weights[3] = {x[0], x[1] * x[0], sin(x[2])}, own = 0;
    Weighted jobs[2] = {{x, weights, n, 0}, {x, weights, n - 1, 1}};
    pthread_t threads[2];
    for (int k = 0; k < 2; k++) pthread_create(&threads[k], NULL, weighted, &jobs[k]);
    for (int round = 0; round < 50; round++)
        for (int i = 0; i < n; i++) own += weights[(i + round) % 3] * cos(x[i]) / 50;
    for (int k = 0; k < 2; k++) pthread_join(threads[k], NULL);
    weights[0] = 1;
    return own * jobs[0].sum + jobs[1].sum * weights[1];
}

/* Threads are made in one function and joined in another one; they are kept in memory that both know. */
typedef struct { pthread_t threads[4]; Job jobs[4]; } Pool;

static __attribute__((noinline)) void begin(Pool *pool, const double *x, int n)
{
    for (int k = 0; k < 4; k++) {
        pool->jobs[k] = (Job){x, n * k / 4, n * (k + 1) / 4, 0};
        pthread_create(&pool->threads[k], NULL, relative, &pool->jobs[k]);
    }
}

static __attribute__((noinline)) double finish(Pool *pool)
{
    double total = 0;
    for (int k = 3; k >= 0; k--) {
        pthread_join(pool->threads[k], NULL);
        total = total * 0.5 + pool->jobs[k].sum;
    }
    return total;
}

double apart(const double *x, int n)
{
    Pool *pool = malloc(sizeof *pool);
    begin(pool, x, n);
    double own = 0;
    for (int i = 0; i < n; i++) own += x[i] * x[i] * x[i];
    double both = own * finish(pool);
    free(pool);
    return both;
}

/* What is multiplied under a lock depends on the order in which it is reversed. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static double product;

static void *multiply(void *given)
{
    Job *job = given;
    for (int i = job->from; i < job->to; i++) {
        double factor = 1 + job->x[i] * job->x[i] / 8;
        pthread_mutex_lock(&lock);
        product *= factor;
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

double locked(const double *x, int n)
{
    Job jobs[3];
    pthread_t threads[3];
    product = x[0];
    for (int k = 0; k < 3; k++) {
        jobs[k] = (Job){x, n * k / 3, n * (k + 1) / 3, 0};
        pthread_create(&threads[k], NULL, multiply, &jobs[k]);
    }
    for (int k = 0; k < 3; k++) pthread_join(threads[k], NULL);
    return product;
}

/* So does the one who made the threads, who holds the number in memory of its own. */
typedef struct { const double *x; int n; pthread_mutex_t lock; double product; } Shared;

static void take_part(Shared *shared, int first)
{
    for (int i = first; i < shared->n; i += 2) {
        pthread_mutex_lock(&shared->lock);
        shared->product *= 1 + shared->x[i] * shared->x[i] / 8;
        pthread_mutex_unlock(&shared->lock);
    }
}

static void *other_half(void *given)
{
    take_part(given, 1);
    return NULL;
}

double both_locked(const double *x, int n)
{
    Shared shared = {x, n, PTHREAD_MUTEX_INITIALIZER, 1};
    pthread_t thread;
    pthread_create(&thread, NULL, other_half, &shared);
    take_part(&shared, 0);
    pthread_join(thread, NULL);
    return shared.product * shared.product;
}

/* A tree of threads. */
static void *tree(void *given)
{
    Job *job = given;
    if (job->to - job->from < 4) return relative(job);
    int middle = (job->from + job->to) / 2;
    Job left = {job->x, job->from, middle, 0}, right = {job->x, middle, job->to, 0};
    pthread_t thread;
    pthread_create(&thread, NULL, tree, &left);
    tree(&right);
    pthread_join(thread, NULL);
    job->sum += left.sum * right.sum;
    return NULL;
}

double branching(const double *x, int n)
{
    Job whole = {x, 0, n, 0};
    tree(&whole);
    return whole.sum;
}

/* What a thread runs is chosen. */
double chosen(const double *x, int n)
{
    void *(*const runs[2])(void *) = {sum_of, relative};
    Job jobs[4];
    pthread_t threads[4];
    double total = 0;
    for (int k = 0; k < 4; k++) {
        jobs[k] = (Job){x, 0, n - k, 0};
        pthread_create(&threads[k], NULL, runs[(n + k) % 2], &jobs[k]);
    }
    for (int k = 0; k < 4; k++) pthread_join(threads[k], NULL);
    for (int k = 0; k < 4; k++) total += jobs[k].sum * jobs[k].sum;
    return total;
}

/* Threads for each step of time, with attributes that say what is said anyway. */
typedef struct { const double *from; double *to; int first, last, n; } Step;

static void *step(void *given)
{
    Step *s = given;
    for (int i = s->first; i < s->last; i++) {
        double left = i > 0 ? s->from[i - 1] : 0, right = i < s->n - 1 ? s->from[i + 1] : 0;
        s->to[i] = s->from[i] + 0.1 * (left - 2 * s->from[i] + right) * s->from[i];
    }
    return NULL;
}

double heat(const double *x, int n)
{
    double *u = malloc(n * sizeof *u), *v = malloc(n * sizeof *v), total = 0;
    pthread_attr_t joinable;
    pthread_attr_init(&joinable);
    pthread_attr_setdetachstate(&joinable, PTHREAD_CREATE_JOINABLE);
    for (int i = 0; i < n; i++) u[i] = x[i];
    for (int t = 0; t < 5; t++) {
        pthread_t threads[3];
        Step steps[3];
        for (int k = 0; k < 3; k++) {
            steps[k] = (Step){u, v, n * k / 3, n * (k + 1) / 3, n};
            pthread_create(&threads[k], &joinable, step, &steps[k]);
        }
        for (int k = 0; k < 3; k++) pthread_join(threads[k], NULL);
        double *w = u;
        u = v, v = w;
    }
    pthread_attr_destroy(&joinable);
    for (int i = 0; i < n; i++) total += u[i] * u[i];
    free(u);
    free(v);
    return total;
}

/* Who is next is asked of a counter, which hands over nothing else. */
typedef struct { const double *x; double *y; int n; atomic_int *next; } Queue;

static void *serve(void *given)
{
    Queue *queue = given;
    int i;
    while ((i = atomic_fetch_add_explicit(queue->next, 1, memory_order_relaxed)) < queue->n)
        queue->y[i] = queue->x[i] * sin(queue->x[0] * queue->x[i]);
    return NULL;
}

double served(const double *x, int n)
{
    double *y = malloc(n * sizeof *y), total = 0;
    atomic_int next = 0;
    Queue queue = {x, y, n, &next};
    pthread_t threads[3];
    for (int k = 0; k < 3; k++) pthread_create(&threads[k], NULL, serve, &queue);
    for (int k = 0; k < 3; k++) pthread_join(threads[k], NULL);
    for (int i = 0; i < n; i++) total += y[i] * y[i];
    free(y);
    return total;
}

/* A join that is not always reached. */
double sometimes(const double *x, int n)
{
    Job jobs[2] = {{x, 0, n / 2, 0}, {x, n / 2, n, 0}};
    pthread_t threads[2];
    int started[2] = {n > 3, n > 1000};
    double total = 0;
    for (int k = 0; k < 2; k++)
        if (started[k]) pthread_create(&threads[k], NULL, relative, &jobs[k]);
        else relative(&jobs[k]);
    for (int k = 0; k < 2; k++) {
        if (started[k]) pthread_join(threads[k], NULL);
        total += sin(jobs[k].sum);
    }
    return total;
}

/* Only what is not differentiated is done by a thread. */
static void *count(void *given)
{
    int *n = given;
    *n = *n * 2;
    return NULL;
}

double constant(const double *x, int n)
{
    pthread_t thread;
    int twice = n;
    double total = 0;
    pthread_create(&thread, NULL, count, &twice);
    for (int i = 0; i < n; i++) total += x[i] * x[i];
    pthread_join(thread, NULL);
    return total * twice;
}

/* A thread that ends by saying so. */
static void *leave(void *given)
{
    Job *job = given;
    job->sum = exp(-job->x[job->from]) * job->x[job->to];
    if (job->sum > 0.5) pthread_exit(&job->sum);
    job->sum *= 2;
    pthread_exit(&job->sum);
}

double leaving(const double *x, int n)
{
    Job jobs[2] = {{x, 0, 1, 0}, {x, 2, n - 1, 0}};
    pthread_t threads[2];
    double total = 0;
    for (int k = 0; k < 2; k++) pthread_create(&threads[k], NULL, leave, &jobs[k]);
    for (int k = 0; k < 2; k++) {
        void *sum;
        pthread_join(threads[k], &sum);
        total += *(double *)sum * x[k];
    }
    return total;
}
