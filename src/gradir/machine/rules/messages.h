/* Messages from one process to another: `mpi.c` comes first.

   A message with floats becomes a *bundle*: a head, in forward mode the tangents, and the data as the program sent it,
   packed. It has the tag and the communicator that the program gave it, so it is received by whom it would have been
   received by. In reverse mode the head has the tag by which the adjoint will come back, one that no other message has.

   Nothing here waits for what the program would not have waited for: what MPI_Send may buffer is buffered here, and
   adjoints are sent without waiting (`send_along`). */

/* One end of a message, as the program describes it. */
typedef struct { char *memory, *shadow; int count; MPI_Datatype type; int peer, tag; MPI_Comm comm; } end;
#define END(memory, shadow, count, type, peer, tag, comm) \
  ((end){(char *)(memory), (char *)(shadow), count, type, peer, tag, comm})

typedef struct { long tangents, back; } head;

/* A message on the tape. Of one that was sent, the adjoint comes back in `flat`; `count` are the elements that moved. */
typedef struct {
  end at;
  int sent, peer, posted;
  long back, floats;
  double *flat;
  MPI_Request coming;
} message;

static message *new_message(end at, int sent) {
  message *one = NEW(message, 1);
  one->at = at;
  one->sent = sent;
  one->peer = at.peer;
  open_tape();
  return one;
}

static void drop(message *one) {
  __builtin_free(one->flat);
  __builtin_free(one);
  close_tape();
}

/* -- tags --------------------------------------------------------------------------------------------------------- */

/* The upper half of the tags is for adjoints. */
static long first_tag_of_adjoints(MPI_Comm comm) {
  int *most, there;
  MPI_Comm_get_attr(comm, MPI_TAG_UB, &most, &there);
  return there ? ((long)*most + 1) / 2 : 16384;
}

static void check_tag(end at) {
  if (at.tag >= first_tag_of_adjoints(at.comm)) refuse("a tag in the upper half of the tags", "use smaller tags");
}

static long new_tag(MPI_Comm comm) {
  static long used;
  long first = first_tag_of_adjoints(comm);
  if (tapes >= first) refuse("a function with more messages than half of the tags", "differentiate it in parts");
  return first + used++ % first;
}

/* -- bundles ------------------------------------------------------------------------------------------------------ */

static long floats_at(end at) { return floats_in(at.type, at.memory, at.shadow); }

static long room_for(end at, int forward) {
  return sizeof(head) + (forward ? at.count * floats_at(at) * sizeof(double) : 0) + at.count * size_of(at.type);
}

/* Write a bundle; gives its bytes. */
static long bundle_up(end at, char *bundle, int forward, long back) {
  head *first = (head *)bundle;
  double *tangents = (double *)(first + 1);
  first->tangents = forward ? at.count * floats_at(at) : 0;
  first->back = back;
  if (forward) {
    __builtin_memset(tangents, 0, first->tangents * sizeof(double));
    if (!is_constant(at.memory, at.shadow)) exchange(at.shadow, at.count, at.type, at.comm, tangents, TAKE);
  }
  char *data = (char *)(tangents + first->tangents);
  return data - bundle + pack(at.memory, at.count, at.type, at.comm, data);
}

/* Read a bundle that has come, as `status` says, which then says what it would have said of the data alone. */
static void unbundle(end at, const char *bundle, MPI_Status *status, message *one) {
  int bytes;
  MPI_Get_count(status, MPI_BYTE, &bytes);
  if (bytes < (int)sizeof(head)) return; /* from nobody */
  const head *first = (const head *)bundle;
  double *tangents = (double *)(first + 1);
  const char *data = (const char *)(tangents + first->tangents);
  long size = size_of(at.type), moved = bytes - (data - bundle), count = size ? moved / size : 0;
  if (count * size != moved) refuse("a message that ends inside an element of the datatype", "receive whole elements");
  unpack(data, moved, at.memory, count, at.type, at.comm);
  MPI_Status_set_elements(status, at.type, size ? count : 0);
  if (one) {
    one->at.count = count;
    one->floats = count * floats_at(at);
    one->peer = status->MPI_SOURCE;
    one->back = first->back;
  } else if (first->tangents && !is_constant(at.memory, at.shadow))
    exchange(at.shadow, count, at.type, at.comm, tangents, SET);
}

/* -- what comes back ---------------------------------------------------------------------------------------------- */

/* Where the data was received, its adjoint is sent back, and is zero then. */
static void send_back(message *one) {
  end at = one->at;
  if (!one->floats) return;
  double *flat = NEW(double, one->floats);
  if (!is_constant(at.memory, at.shadow)) {
    exchange(at.shadow, at.count, at.type, at.comm, flat, TAKE);
    clear(at.shadow, at.count, at.type, at.comm, one->floats);
  }
  send_along(flat, one->floats, MPI_DOUBLE, one->peer, one->back, at.comm);
}

/* Where it was sent, the adjoint is awaited, then added. */
static void await(message *one) {
  if (one->posted) return;
  one->posted = 1;
  one->flat = NEW(double, one->floats);
  MPI_Request none = MPI_REQUEST_NULL;
  one->coming = none;
  MPI_Recv_init(one->flat, one->floats, MPI_DOUBLE, one->peer, one->back, one->at.comm, &one->coming);
  MPI_Start(&one->coming);
}

static void take_back(message *one) {
  end at = one->at;
  await(one);
  MPI_Wait(&one->coming, MPI_STATUS_IGNORE);
  MPI_Request_free(&one->coming);
  if (!is_constant(at.memory, at.shadow)) exchange(at.shadow, at.count, at.type, at.comm, one->flat, ADD);
}

/* -- blocking calls: in forward mode there is no tape ------------------------------------------------------------- */

typedef int send_call(const void *, int, MPI_Datatype, int, int, MPI_Comm);

static message *sent_message(end at) {
  message *one = new_message(at, 1);
  one->floats = at.count * floats_at(at);
  one->back = new_tag(at.comm);
  return one;
}

static int post(end at, int synchronous, void **tape) {
  check_tag(at);
  message *one = tape ? sent_message(at) : 0;
  if (tape) *tape = one;
  char *bundle = NEW(char, room_for(at, !tape));
  long bytes = bundle_up(at, bundle, !tape, one ? one->back : 0);
  if (!synchronous) return send_along(bundle, bytes, MPI_BYTE, at.peer, at.tag, at.comm);
  int value = MPI_Ssend(bundle, bytes, MPI_BYTE, at.peer, at.tag, at.comm);
  __builtin_free(bundle);
  return value;
}

static int send(end at, send_call *call, void **tape) {
  if (!floats_at(at)) return call(at.memory, at.count, at.type, at.peer, at.tag, at.comm);
  return post(at, call == MPI_Ssend, tape);
}

/* From anybody with any tag: the first message of somebody that is no adjoint. A process sends those only after all
   that it has to send in the forward sweep. */
static void find_message(end *at) {
  int size, found = 0;
  MPI_Status status;
  long adjoints = first_tag_of_adjoints(at->comm);
  MPI_Comm_size(at->comm, &size);
  for (int from = 0;; from = (from + 1) % size) {
    MPI_Iprobe(from, MPI_ANY_TAG, at->comm, &found, &status);
    if (!found || status.MPI_TAG >= adjoints) continue;
    at->peer = from;
    at->tag = status.MPI_TAG;
    return;
  }
}

static int receive(end at, MPI_Status *wanted, void **tape) {
  if (!floats_at(at)) return MPI_Recv(at.memory, at.count, at.type, at.peer, at.tag, at.comm, wanted);
  MPI_Status status;
  check_tag(at);
  if (tape && at.peer == MPI_ANY_SOURCE && at.tag == MPI_ANY_TAG) find_message(&at);
  message *one = tape ? new_message(at, 0) : 0;
  if (tape) *tape = one;
  long room = room_for(at, !tape);
  char *bundle = NEW(char, room);
  int value = MPI_Recv(bundle, room, MPI_BYTE, at.peer, at.tag, at.comm, &status);
  unbundle(at, bundle, &status, one);
  if (wanted != MPI_STATUS_IGNORE) *wanted = status;
  __builtin_free(bundle);
  return value;
}

#define SENT const void *buf, void *shadow, int count, TYPE(type), int peer, int tag, COMM
#define RECEIVED void *buf, void *shadow, int count, TYPE(type), int peer, int tag, COMM
#define STATUS MPI_Status *status, void *d_status
#define THE_END END(buf, shadow, count, type, peer, tag, comm)

#define SEND(name)                                                                        \
  RULE(name, forward, int)(SENT) { return send(THE_END, MPI_##name, 0); }                 \
  RULE(name, augmented, Augmented)(SENT) {                                                \
    Augmented made = {0, 0};                                                              \
    made.value = send(THE_END, MPI_##name, &made.tape);                                   \
    return made;                                                                          \
  }                                                                                       \
  RULE(name, reverse, void)(SENT, message *one) {                                         \
    if (one) take_back(one), drop(one);                                                   \
  }
SEND(Send)
SEND(Ssend)
SEND(Bsend)
SEND(Rsend)

RULE(Recv, forward, int)(RECEIVED, STATUS) { return receive(THE_END, status, 0); }
RULE(Recv, augmented, Augmented)(RECEIVED, STATUS) {
  Augmented made = {0, 0};
  made.value = receive(THE_END, status, &made.tape);
  return made;
}
RULE(Recv, reverse, void)(RECEIVED, STATUS, message *one) {
  if (one) send_back(one), drop(one);
}

/* Both at once: one of them may be of integers. */
typedef struct { message *sent, *received; } both;

static int send_and_receive(end out, end in, MPI_Status *status, both *tape) {
  void *sent = 0, *received = 0;
  MPI_Request plain = MPI_REQUEST_NULL;
  char *copy = 0;
  if (floats_at(out))
    post(out, 0, tape ? &sent : 0);
  else { /* a copy, since both may be one buffer */
    long size = out.count * size_of(out.type);
    copy = NEW(char, size);
    pack(out.memory, out.count, out.type, out.comm, copy);
    MPI_Isend(copy, size, MPI_BYTE, out.peer, out.tag, out.comm, &plain);
  }
  int value = receive(in, status, tape ? &received : 0);
  MPI_Wait(&plain, MPI_STATUS_IGNORE);
  __builtin_free(copy);
  if (tape) *tape = (both){sent, received};
  return value;
}

static void undo_both(both *tape) {
  if (tape->sent) await(tape->sent);
  if (tape->received) send_back(tape->received);
  if (tape->sent) take_back(tape->sent), drop(tape->sent);
  if (tape->received) drop(tape->received);
  __builtin_free(tape);
}

#define EXCHANGE(name, OUT, IN, ...)                                                       \
  RULE(name, forward, int)(__VA_ARGS__) { return send_and_receive(OUT, IN, status, 0); }   \
  RULE(name, augmented, Augmented)(__VA_ARGS__) {                                          \
    both *tape = NEW(both, 1);                                                             \
    return (Augmented){tape, send_and_receive(OUT, IN, status, tape)};                     \
  }                                                                                        \
  RULE(name, reverse, void)(__VA_ARGS__, both *tape) { undo_both(tape); }

EXCHANGE(Sendrecv, END(buf, shadow, count, type, peer, tag, comm), END(got, d_got, gets, got_type, source, got_tag, comm),
         const void *buf, void *shadow, int count, TYPE(type), int peer, int tag, void *got, void *d_got, int gets,
         TYPE(got_type), int source, int got_tag, COMM, STATUS)
EXCHANGE(Sendrecv_replace, END(buf, shadow, count, type, peer, tag, comm),
         END(buf, shadow, count, type, source, got_tag, comm), void *buf, void *shadow, int count, TYPE(type),
         int peer, int tag, int source, int got_tag, COMM, STATUS)

/* -- requests ----------------------------------------------------------------------------------------------------- */

/* What a request of the program's stands for. All are persistent to MPI, for then no two have the same handle; those
   that the program did not ask to last are freed when they are done. */
typedef struct channel {
  struct channel *next;
  MPI_Request request;
  end at;
  int sends, lasts, started;
  char *bundle;
  message *on_its_way;
} channel;
static channel *channels;

static channel *channel_of(MPI_Request request) {
  for (channel *one = channels; one; one = one->next)
    if (one->request == request) return one;
  return 0;
}

static void close_channel(channel *closed) {
  for (channel **at = &channels; *at; at = &(*at)->next)
    if (*at == closed) {
      *at = closed->next;
      break;
    }
  __builtin_free(closed->bundle);
  __builtin_free(closed);
}

typedef int open_call(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);

static channel *open_channel(end at, int sends, int lasts, int synchronous, int forward, MPI_Request *request) {
  channel *one = NEW(channel, 1);
  check_tag(at);
  if (!sends && !forward && at.peer == MPI_ANY_SOURCE && at.tag == MPI_ANY_TAG)
    refuse("MPI_Irecv with MPI_ANY_SOURCE and MPI_ANY_TAG at once, in reverse mode,", "receive by a tag, or with MPI_Recv");
  *one = (channel){channels, MPI_REQUEST_NULL, at, sends, lasts, 0, 0, 0};
  channels = one;
  long room = room_for(at, forward);
  one->bundle = NEW(char, room);
  if (!sends) MPI_Recv_init(one->bundle, room, MPI_BYTE, at.peer, at.tag, at.comm, &one->request);
  else if (synchronous) MPI_Ssend_init(one->bundle, room, MPI_BYTE, at.peer, at.tag, at.comm, &one->request);
  else MPI_Send_init(one->bundle, room, MPI_BYTE, at.peer, at.tag, at.comm, &one->request);
  *request = one->request;
  return one;
}

static int start(channel *one, int forward) {
  if (!forward) one->on_its_way = one->sends ? sent_message(one->at) : new_message(one->at, 0);
  if (one->sends) bundle_up(one->at, one->bundle, forward, forward ? 0 : one->on_its_way->back);
  one->started = 1;
  return MPI_Start(&one->request);
}

/* A request has completed: what it brought is unpacked. */
static message *finish(channel *one, MPI_Request *request, MPI_Status *status) {
  message *landed = one->on_its_way;
  one->on_its_way = 0;
  one->started = 0;
  if (!one->sends) unbundle(one->at, one->bundle, status, landed);
  if (!one->lasts) {
    MPI_Request_free(request);
    close_channel(one);
  }
  return landed;
}

static int begin(end at, open_call *call, int sends, int synchronous, MPI_Request *request, void **tape) {
  if (!floats_at(at)) return call(at.memory, at.count, at.type, at.peer, at.tag, at.comm, request);
  channel *one = open_channel(at, sends, 0, synchronous, !tape, request);
  int value = start(one, !tape);
  if (tape) *tape = one->on_its_way;
  return value;
}

static int prepare(end at, open_call *call, int sends, int synchronous, MPI_Request *request, int forward) {
  if (!floats_at(at)) return call(at.memory, at.count, at.type, at.peer, at.tag, at.comm, request);
  open_channel(at, sends, 1, synchronous, forward, request);
  return 0;
}

/* The start of a message is undone after its end: the adjoint is under way. */
static void undo_start(message *one) {
  if (!one) return;
  if (one->sent) take_back(one);
  drop(one);
}

#define BEGIN(name, sends, ARGUMENTS)                                                                       \
  RULE(name, forward, int)(ARGUMENTS, MPI_Request *request, void *d_request) {                              \
    return begin(THE_END, (open_call *)MPI_##name, sends, #name[1] == 's' && #name[2] == 's', request, 0);  \
  }                                                                                                         \
  RULE(name, augmented, Augmented)(ARGUMENTS, MPI_Request *request, void *d_request) {                      \
    Augmented made = {0, 0};                                                                                \
    int synchronous = #name[1] == 's' && #name[2] == 's';                                                   \
    made.value = begin(THE_END, (open_call *)MPI_##name, sends, synchronous, request, &made.tape);          \
    return made;                                                                                            \
  }                                                                                                         \
  RULE(name, reverse, void)(ARGUMENTS, MPI_Request *request, void *d_request, message *one) { undo_start(one); }
BEGIN(Isend, 1, SENT)
BEGIN(Issend, 1, SENT)
BEGIN(Ibsend, 1, SENT)
BEGIN(Irsend, 1, SENT)
BEGIN(Irecv, 0, RECEIVED)

#define PREPARE(name, sends, ARGUMENTS)                                                                            \
  RULE(name, forward, int)(ARGUMENTS, MPI_Request *request, void *d_request) {                                     \
    return prepare(THE_END, (open_call *)MPI_##name, sends, #name[1] == 's', request, 1);                          \
  }                                                                                                                \
  RULE(name, augmented, Augmented)(ARGUMENTS, MPI_Request *request, void *d_request) {                             \
    return (Augmented){0, prepare(THE_END, (open_call *)MPI_##name, sends, #name[1] == 's', request, 0)};          \
  }                                                                                                                \
  RULE(name, reverse, void)(ARGUMENTS, MPI_Request *request, void *d_request, void *tape) {}
PREPARE(Send_init, 1, SENT)
PREPARE(Ssend_init, 1, SENT)
PREPARE(Bsend_init, 1, SENT)
PREPARE(Rsend_init, 1, SENT)
PREPARE(Recv_init, 0, RECEIVED)

/* -- several messages --------------------------------------------------------------------------------------------- */

typedef struct { int count; message *each[]; } messages;

static messages *new_messages(int count) {
  messages *made = __builtin_calloc(1, sizeof(messages) + count * sizeof(message *));
  made->count = count;
  return made;
}

static int start_all(int count, MPI_Request *requests, messages *tape) {
  int value = 0;
  for (int i = 0; i < count; i++) {
    channel *one = channel_of(requests[i]);
    int status = one ? start(one, !tape) : MPI_Start(&requests[i]);
    value = value ? value : status;
    if (one && tape) tape->each[i] = one->on_its_way;
  }
  return value;
}

static void undo_starts(messages *tape) {
  for (int i = tape->count; i-- > 0;) undo_start(tape->each[i]);
  __builtin_free(tape);
}

static void undo_ends(messages *tape) {
  for (int i = 0; tape && i < tape->count; i++)
    if (tape->each[i] && tape->each[i]->sent) await(tape->each[i]);
  for (int i = 0; tape && i < tape->count; i++)
    if (tape->each[i] && !tape->each[i]->sent) send_back(tape->each[i]);
  __builtin_free(tape);
}

/* Completion: `which` of the requests are done, all of them if null. */
typedef struct { int count; channel **known; MPI_Status *statuses; } waiting;

static waiting wait_for(int count, MPI_Request *requests) {
  waiting made = {count, NEW(channel *, count), NEW(MPI_Status, count)};
  settle(0);
  for (int i = 0; i < count; i++) {
    channel *one = channel_of(requests[i]);
    if (one && one->started) made.known[i] = one;
  }
  return made;
}

static void done(waiting made, int count, const int *which, MPI_Request *requests, MPI_Status *wanted, messages **tape) {
  if (tape) *tape = new_messages(count);
  for (int k = 0; k < count; k++) {
    int i = which ? which[k] : k;
    message *landed = made.known[i] ? finish(made.known[i], &requests[i], &made.statuses[k]) : 0;
    if (tape) (*tape)->each[k] = landed;
    if (wanted) wanted[k] = made.statuses[k];
  }
}

static void forget(waiting made) {
  __builtin_free(made.known);
  __builtin_free(made.statuses);
}

static int wait_all(int count, MPI_Request *requests, MPI_Status *wanted, messages **tape) {
  waiting made = wait_for(count, requests);
  int value = MPI_Waitall(count, requests, made.statuses);
  done(made, count, 0, requests, wanted, tape);
  forget(made);
  return value;
}

static int test_all(int count, MPI_Request *requests, int *flag, MPI_Status *wanted, messages **tape) {
  waiting made = wait_for(count, requests);
  int value = MPI_Testall(count, requests, flag, made.statuses);
  if (*flag) done(made, count, 0, requests, wanted, tape);
  forget(made);
  return value;
}

static int wait_any(int count, MPI_Request *requests, int *index, MPI_Status *wanted, messages **tape) {
  waiting made = wait_for(count, requests);
  int value = MPI_Waitany(count, requests, index, made.statuses);
  if (*index != MPI_UNDEFINED) done(made, 1, index, requests, wanted, tape);
  forget(made);
  return value;
}

static int test_any(int count, MPI_Request *requests, int *index, int *flag, MPI_Status *wanted, messages **tape) {
  waiting made = wait_for(count, requests);
  int value = MPI_Testany(count, requests, index, flag, made.statuses);
  if (*flag && *index != MPI_UNDEFINED) done(made, 1, index, requests, wanted, tape);
  forget(made);
  return value;
}

typedef int some_call(int, MPI_Request *, int *, int *, MPI_Status *);
static int some(some_call *call, int count, MPI_Request *requests, int *number, int *which, MPI_Status *wanted,
                messages **tape) {
  waiting made = wait_for(count, requests);
  int value = call(count, requests, number, which, made.statuses);
  if (*number != MPI_UNDEFINED) done(made, *number, which, requests, wanted, tape);
  forget(made);
  return value;
}

#define ENDS(name, CALL, ...)                                                             \
  RULE(name, forward, int)(__VA_ARGS__) {                                                 \
    messages **tape = 0;                                                                  \
    return CALL;                                                                          \
  }                                                                                       \
  RULE(name, augmented, Augmented)(__VA_ARGS__) {                                         \
    messages *made = 0, **tape = &made;                                                   \
    int value = CALL;                                                                     \
    return (Augmented){made, value};                                                      \
  }                                                                                       \
  RULE(name, reverse, void)(__VA_ARGS__, messages *tape) { undo_ends(tape); }
#define REQUESTS int count, MPI_Request *requests, void *d_requests
#define WANTED (status == MPI_STATUS_IGNORE || status == MPI_STATUSES_IGNORE ? 0 : status)

ENDS(Wait, wait_all(1, request, WANTED, tape), MPI_Request *request, void *d_request, STATUS)
ENDS(Waitall, wait_all(count, requests, WANTED, tape), REQUESTS, STATUS)
ENDS(Waitany, wait_any(count, requests, index, WANTED, tape), REQUESTS, int *index, void *d_index, STATUS)
ENDS(Waitsome, some(MPI_Waitsome, count, requests, number, which, WANTED, tape), REQUESTS, int *number, void *d_number,
     int *which, void *d_which, STATUS)
ENDS(Test, test_all(1, request, flag, WANTED, tape), MPI_Request *request, void *d_request, int *flag, void *d_flag, STATUS)
ENDS(Testall, test_all(count, requests, flag, WANTED, tape), REQUESTS, int *flag, void *d_flag, STATUS)
ENDS(Testany, test_any(count, requests, index, flag, WANTED, tape), REQUESTS, int *index, void *d_index, int *flag,
     void *d_flag, STATUS)
ENDS(Testsome, some(MPI_Testsome, count, requests, number, which, WANTED, tape), REQUESTS, int *number, void *d_number,
     int *which, void *d_which, STATUS)

#define STARTS(name, count, requests, ...)                                                \
  RULE(name, forward, int)(__VA_ARGS__) { return start_all(count, requests, 0); }         \
  RULE(name, augmented, Augmented)(__VA_ARGS__) {                                         \
    messages *tape = new_messages(count);                                                 \
    return (Augmented){tape, start_all(count, requests, tape)};                           \
  }                                                                                       \
  RULE(name, reverse, void)(__VA_ARGS__, messages *tape) { undo_starts(tape); }
STARTS(Start, 1, request, MPI_Request *request, void *d_request)
STARTS(Startall, count, requests, REQUESTS)

/* A request that is given up: what it sends arrives all the same. */
static int give_up(MPI_Request *request) {
  channel *one = channel_of(*request);
  if (!one) return MPI_Request_free(request);
  if (one->started && !one->sends) refuse("MPI_Request_free of a receive that is under way", "wait for it");
  if (one->started) MPI_Wait(request, MPI_STATUS_IGNORE);
  int value = MPI_Request_free(request);
  close_channel(one);
  return value;
}

RULE(Request_free, forward, int)(MPI_Request *request, void *shadow) { return give_up(request); }
RULE(Request_free, augmented, Augmented)(MPI_Request *request, void *shadow) {
  return (Augmented){0, give_up(request)};
}
RULE(Request_free, reverse, void)(MPI_Request *request, void *shadow, void *tape) {}
