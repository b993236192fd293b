/* Numbers read from characters, and what is made of them. The characters carry no derivative, the unit does. */
double parser(const char *text, const double *units, int count)
{
    double sum = 0;
    int field = 0;
    for (const char *at = text; *at; field = (field + 1) % count) {
        double value = 0, scale = 1, sign = 1;
        if (*at == '-') {
            sign = -1;
            at++;
        }
        for (; *at >= '0' && *at <= '9'; at++)
            value = value * 10 + (*at - '0');
        if (*at == '.')
            for (at++; *at >= '0' && *at <= '9'; at++) {
                scale *= 0.1;
                value += scale * (*at - '0');
            }
        value *= sign * units[field];
        sum += value * value + value;
        while (*at == ' ' || *at == ',')
            at++;
    }
    return sum;
}
