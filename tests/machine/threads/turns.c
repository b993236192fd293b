/* A thread that looks under a lock whether its maker has come so far: it goes on after that, though it is made before. */
#include <math.h>
#include <pthread.h>
#include <sched.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int turn;
static double number;

static void wait_for(int wanted)
{
    for (;;) {
        pthread_mutex_lock(&lock);
        if (turn == wanted) return;
        pthread_mutex_unlock(&lock);
        sched_yield();
    }
}

static void next(void)
{
    turn++;
    pthread_mutex_unlock(&lock);
}

static void *change(void *given)
{
    const double *x = given;
    for (int k = 0; k < 4; k++) {
        wait_for(2 * k + 1);
        number = sin(number * x[k]) + x[0];
        next();
    }
    return 0;
}

/* Who made it reads what is changed later, and changes nothing. */
double watched(const double *x, int n)
{
    pthread_t thread;
    double product = 1;
    turn = 0;
    number = x[n - 1];
    pthread_create(&thread, 0, change, (void *)x);
    for (int k = 0; k < 4; k++) {
        wait_for(2 * k);
        product *= number * number * x[k];
        next();
    }
    pthread_join(thread, 0);
    return product + number;
}
