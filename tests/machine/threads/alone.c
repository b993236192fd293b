/* Threads whose derivatives each run where it is made: data may pass from one to another by more than joins and locks. */
#define _GNU_SOURCE
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>

typedef struct { const double *x; int n; double first, second; atomic_int done; pthread_mutex_t lock; } Shared;

/* Who comes last finishes what the others have begun. */
static void *last_one(void *given)
{
    Shared *s = given;
    pthread_mutex_lock(&s->lock);
    s->first += s->x[0] * s->x[1];
    pthread_mutex_unlock(&s->lock);
    if (atomic_fetch_add(&s->done, 1) == 1) s->second = s->first * s->first * s->x[2];
    return 0;
}

double counted(const double *x, int n)
{
    Shared s = {x, n, 0, 0, 0, PTHREAD_MUTEX_INITIALIZER};
    pthread_t threads[2];
    for (int k = 0; k < 2; k++) pthread_create(&threads[k], 0, last_one, &s);
    for (int k = 0; k < 2; k++) pthread_join(threads[k], 0);
    return s.second;
}

/* A lock that may not be had: what is to be done then has been done by nobody yet. */
static void *try_it(void *given)
{
    Shared *s = given;
    while (pthread_mutex_trylock(&s->lock)) ;
    s->first += sin(s->x[0]) * s->x[1];
    pthread_mutex_unlock(&s->lock);
    return 0;
}

double tried(const double *x, int n)
{
    Shared s = {x, n, 0, 0, 0, PTHREAD_MUTEX_INITIALIZER};
    pthread_t threads[2];
    for (int k = 0; k < 2; k++) pthread_create(&threads[k], 0, try_it, &s);
    for (int k = 0; k < 2; k++) pthread_join(threads[k], 0);
    return s.first;
}

/* A number that each thread has of its own. */
static _Thread_local double own = 1;

static void *with_own(void *given)
{
    Shared *s = given;
    own = s->x[0] * s->x[3];
    s->first = own * own;
    return 0;
}

double owned(const double *x, int n)
{
    Shared s = {x, n, 0, 0, 0, PTHREAD_MUTEX_INITIALIZER};
    pthread_t thread;
    pthread_create(&thread, 0, with_own, &s);
    pthread_join(thread, 0);
    return s.first;
}

/* A name for a thread, by its handle. */
static void *named(void *given)
{
    Shared *s = given;
    s->first = s->x[0] * s->x[3];
    return 0;
}

double called(const double *x, int n)
{
    Shared s = {x, n, 0, 0, 0, PTHREAD_MUTEX_INITIALIZER};
    pthread_t thread;
    pthread_create(&thread, 0, named, &s);
    if (n < 0) pthread_detach(thread);
    pthread_join(thread, 0);
    return s.first;
}
