// A grid of CUDA threads on the CPU: blocks one after the other, the threads of a block as fibres.
//
// A thread runs until it waits for others: at a barrier for its block, at a shuffle for its warp. The scheduler then
// runs the next one. Where all that wait for each other are there, they go on; where nobody can go on, the launch
// fails and says so. A kernel in which nobody waits needs no fibres: its threads are called one after the other.
//
// Names with a dollar get a dot (make_emulator.py). `gradir$nvvm$x` is what `llvm.nvvm.x` does.

typedef unsigned long size_t;
void *malloc(size_t);
void free(void *);

// The beginning of ucontext_t, which all Linux machines share, with room for the rest.
typedef struct Context {
  unsigned long flags;
  struct Context *link;
  void *stack;
  int stack_flags;
  size_t stack_size;
  char rest[8152];
} __attribute__((aligned(64))) Context;
int getcontext(Context *);
int swapcontext(Context *, const Context *);
void makecontext(Context *, void (*)(void), int, ...);

enum { RUNS, AT_BARRIER, IN_WARP, DONE };
enum { STACK = 1 << 18 };

typedef struct {
  Context context;
  int state;
  unsigned mask; // the lanes that it waits for
  unsigned long given;
} Thread;

static struct {
  int tid[3], ctaid[3], ntid[3], nctaid[3];
  int current, count, fibres;
  Thread *threads;
  Context scheduler;
  void (*kernel)(void **);
  void **arguments;
} grid;

#define SREG(name, axis, n)                                                                                          \
  int gradir$nvvm$read$ptx$sreg$##name##$##axis(void) { return *(volatile int *)&grid.name[n]; }
#define SREGS(name) SREG(name, x, 0) SREG(name, y, 1) SREG(name, z, 2)
SREGS(tid) SREGS(ctaid) SREGS(ntid) SREGS(nctaid)

static void enter(int t) {
  grid.current = t;
  grid.tid[0] = t % grid.ntid[0];
  grid.tid[1] = t / grid.ntid[0] % grid.ntid[1];
  grid.tid[2] = t / grid.ntid[0] / grid.ntid[1];
}

static void wait_for(int state, unsigned mask) {
  Thread *me = &grid.threads[grid.current];
  me->state = state;
  me->mask = mask;
  swapcontext(&me->context, &grid.scheduler);
}

void gradir$nvvm$barrier$cta$sync$aligned$all(int id) { wait_for(AT_BARRIER, 0); }
void gradir$nvvm$barrier0(void) { wait_for(AT_BARRIER, 0); }
void gradir$nvvm$bar$warp$sync(unsigned mask) { wait_for(IN_WARP, mask); }
void gradir$nvvm$membar$gl(void) {}
void gradir$nvvm$membar$cta(void) {}
void gradir$nvvm$membar$sys(void) {}

// What a lane gives and what it takes from another one, all having given before any takes.
static unsigned long exchanged(unsigned mask, unsigned long given, int from) {
  Thread *me = &grid.threads[grid.current], *warp = me - grid.current % 32;
  me->given = given;
  wait_for(IN_WARP, mask);
  unsigned long taken = grid.current - grid.current % 32 + from < grid.count ? warp[from].given : given;
  wait_for(IN_WARP, mask);
  return taken;
}

static int source(int kind, int by, int segment) {
  int lane = grid.current % 32, b = by & 31, c = segment & 31, m = segment >> 8 & 31;
  int last = (lane & m) | (c & ~m & 31), from, fits;
  switch (kind) {
  case 0: from = lane - b, fits = from >= last; break;
  case 1: from = lane + b, fits = from <= last; break;
  case 2: from = lane ^ b, fits = from <= last; break;
  default: from = (lane & m) | (b & ~m & 31), fits = from <= last;
  }
  return fits ? from : lane;
}

#define SHUFFLE(name, kind)                                                                                          \
  int gradir$nvvm$shfl$sync$##name##$i32(unsigned mask, int v, int by, int segment) {                                \
    return (int)exchanged(mask, (unsigned)v, source(kind, by, segment));                                             \
  }                                                                                                                  \
  float gradir$nvvm$shfl$sync$##name##$f32(unsigned mask, float v, int by, int segment) {                            \
    unsigned bits = (unsigned)exchanged(mask, __builtin_bit_cast(unsigned, v), source(kind, by, segment));           \
    return __builtin_bit_cast(float, bits);                                                                          \
  }
SHUFFLE(up, 0)
SHUFFLE(down, 1)
SHUFFLE(bfly, 2)
SHUFFLE(idx, 3)

static void run_thread(void) {
  grid.kernel(grid.arguments);
  grid.threads[grid.current].state = DONE;
  swapcontext(&grid.threads[grid.current].context, &grid.scheduler);
}

static void start(int t, char *stacks) {
  Thread *thread = &grid.threads[t];
  thread->state = RUNS;
  getcontext(&thread->context);
  thread->context.stack = stacks + (size_t)t * STACK;
  thread->context.stack_size = STACK;
  thread->context.link = &grid.scheduler;
  makecontext(&thread->context, run_thread, 0);
}

// Let those go on who have all met. How many do; -1 if all are done.
static int meet(void) {
  int freed = 0, at_barrier = 0, done = 0;
  for (int t = 0; t < grid.count; t++) {
    at_barrier += grid.threads[t].state == AT_BARRIER;
    done += grid.threads[t].state == DONE;
  }
  if (done == grid.count) return -1;
  if (at_barrier + done == grid.count) {
    for (int t = 0; t < grid.count; t++)
      if (grid.threads[t].state == AT_BARRIER) grid.threads[t].state = RUNS;
    return at_barrier;
  }
  for (int t = 0; t < grid.count; t++) {
    Thread *thread = &grid.threads[t], *warp = thread - t % 32;
    if (thread->state != IN_WARP) continue;
    unsigned mask = thread->mask, ready = 1;
    for (int lane = 0; lane < 32 && t - t % 32 + lane < grid.count; lane++)
      if (mask >> lane & 1 && warp[lane].state != DONE)
        ready &= warp[lane].state == IN_WARP && warp[lane].mask == mask;
    if (!ready) continue;
    for (int lane = 0; lane < 32 && t - t % 32 + lane < grid.count; lane++)
      if (mask >> lane & 1 && warp[lane].state == IN_WARP) warp[lane].state = RUNS, freed++;
  }
  return freed;
}

static int run_block(char *stacks) {
  for (int t = 0; t < grid.count; t++) {
    if (!grid.fibres) {
      enter(t);
      grid.kernel(grid.arguments);
    } else {
      start(t, stacks);
    }
  }
  for (int freed = 1; grid.fibres && freed >= 0; freed = meet()) {
    if (!freed) return 1;
    for (int t = 0; t < grid.count; t++) {
      if (grid.threads[t].state != RUNS) continue;
      enter(t);
      swapcontext(&grid.scheduler, &grid.threads[t].context);
    }
  }
  return 0;
}

// 0 if all went well, 1 if threads waited for others that never came.
int gradir$launch(void (*kernel)(void **), void **arguments, const int *sizes, int fibres) {
  grid.kernel = kernel;
  grid.arguments = arguments;
  grid.fibres = fibres;
  for (int n = 0; n < 3; n++) grid.nctaid[n] = sizes[n], grid.ntid[n] = sizes[3 + n];
  grid.count = sizes[3] * sizes[4] * sizes[5];
  grid.threads = fibres ? malloc((size_t)grid.count * sizeof(Thread)) : 0;
  char *stacks = fibres ? malloc((size_t)grid.count * STACK) : 0;
  int failed = 0;
  for (int z = 0; z < sizes[2]; z++)
    for (int y = 0; y < sizes[1]; y++)
      for (int x = 0; x < sizes[0] && !failed; x++) {
        grid.ctaid[0] = x, grid.ctaid[1] = y, grid.ctaid[2] = z;
        failed = run_block(stacks);
      }
  if (fibres) free(stacks), free(grid.threads);
  return failed;
}
