/* Threads that wait for what others do later, which has no derivative. */
#include <pthread.h>
#include <stdatomic.h>

typedef struct { const double *x; double in, out; atomic_int ready; pthread_mutex_t lock; pthread_cond_t changed; } Shared;

static void *when_told(void *given)
{
    Shared *s = given;
    pthread_mutex_lock(&s->lock);
    while (!s->ready) pthread_cond_wait(&s->changed, &s->lock);
    s->out = s->in * s->x[0];
    pthread_mutex_unlock(&s->lock);
    return 0;
}

double told(const double *x, int n)
{
    Shared s = {x, 0, 0, 0, PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER};
    pthread_t thread;
    pthread_create(&thread, 0, when_told, &s);
    pthread_mutex_lock(&s.lock);
    s.in = x[1];
    s.ready = 1;
    pthread_cond_signal(&s.changed);
    pthread_mutex_unlock(&s.lock);
    pthread_join(thread, 0);
    return s.out;
}

static void *when_ready(void *given)
{
    Shared *s = given;
    while (!atomic_load(&s->ready)) ;
    s->out = s->in * s->x[0];
    return 0;
}

double spinning(const double *x, int n)
{
    Shared s = {x};
    pthread_t thread;
    pthread_create(&thread, 0, when_ready, &s);
    s.in = x[1];
    atomic_store(&s.ready, 1);
    pthread_join(thread, 0);
    return s.out;
}
