/* A filter with feedback, its past in a ring. */
void ring_buffer(const double *signal, const double *taps, double *out, int n)
{
    double past[5] = {0, 0, 0, 0, 0};
    int head = 0;
    for (int i = 0; i < n; i++) {
        double y = signal[i];
        for (int k = 0; k < 5; k++)
            y += taps[k] * past[(head + 5 - 1 - k) % 5];
        past[head] = y * 0.5;
        head = (head + 1) % 5;
        out[i] = y * y;
    }
}
