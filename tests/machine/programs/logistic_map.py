"""Arrays in and out, changed in place, with branches and a while."""


def logistic_map(x, out, rate):
    for i in range(x.size):
        v = x[i]
        steps = 0
        while steps < 6:
            v = rate * v * (1 - v)
            if v < 0.05:
                break
            steps += 1
        out[i] = v + out[i] * x[i]
