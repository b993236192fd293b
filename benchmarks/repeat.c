/* Calls a function again and again, with what it needs fresh at each call, so that nothing of Python is measured. */
#include <string.h>

typedef struct { double *to; const double *from; long count; } Fresh;

void repeat(long times, void (*call)(void *), void *frame, const Fresh *fresh, long count)
{
    for (long i = 0; i < times; i++) {
        for (long j = 0; j < count; j++)
            if (fresh[j].from)
                memcpy(fresh[j].to, fresh[j].from, fresh[j].count * sizeof(double));
            else
                memset(fresh[j].to, 0, fresh[j].count * sizeof(double));
        call(frame);
    }
}
