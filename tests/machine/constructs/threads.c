/* POSIX threads that are joined: what a thread is given and gives, and variables that each has of its own. */
#include <math.h>
#include <pthread.h>
#include <stdlib.h>

typedef struct { const double *x; int from, to; double sum; } Job;

static void *sum_of(void *given)
{
    Job *job = given;
    for (int i = job->from; i < job->to; i++) job->sum += sin(job->x[i]) * job->x[i];
    return job;
}

double halves(const double *x, int n)
{
    Job jobs[2] = {{x, 0, n / 2, 0}, {x, n / 2, n, 0}};
    pthread_t threads[2];
    double product = 1;
    for (int k = 0; k < 2; k++) pthread_create(&threads[k], NULL, sum_of, &jobs[k]);
    for (int k = 0; k < 2; k++) {
        void *done;
        pthread_join(threads[k], &done);
        product *= ((Job *)done)->sum;
    }
    return product;
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static double total;
static _Thread_local double square = 2;

static void *add(void *given)
{
    square = *(double *)given * *(double *)given;
    pthread_mutex_lock(&lock);
    total += square * square;
    pthread_mutex_unlock(&lock);
    return NULL;
}

double locked(const double *x, int n)
{
    double *copies = malloc(n * sizeof *copies);
    pthread_t *threads = malloc(n * sizeof *threads);
    total = 0;
    for (int i = 0; i < n; i++) {
        copies[i] = x[i] * x[0];
        pthread_create(&threads[i], NULL, add, &copies[i]);
    }
    for (int i = 0; i < n; i++) pthread_join(threads[i], NULL);
    free(copies);
    free(threads);
    return total;
}
