/* A struct of pointers and sizes that is passed around: memory that holds pointers to memory that holds floats. */
#include <stdlib.h>

typedef struct { int rows, columns; double *data; double **row; } Matrix;

__attribute__((noinline)) static Matrix *make(int rows, int columns)
{
    Matrix *m = malloc(sizeof *m);
    *m = (Matrix){rows, columns, malloc(rows * columns * sizeof(double)), malloc(rows * sizeof(double *))};
    for (int i = 0; i < rows; i++)
        m->row[i] = m->data + i * columns;
    return m;
}

__attribute__((noinline)) static void release(Matrix *m)
{
    free(m->row);
    free(m->data);
    free(m);
}

__attribute__((noinline)) static void swap_rows(Matrix *m, int i, int j)
{
    double *t = m->row[i];
    m->row[i] = m->row[j];
    m->row[j] = t;
}

double pointer_struct(const double *x, int rows, int columns)
{
    Matrix *m = make(rows, columns);
    double sum = 0;
    for (int i = 0; i < rows * columns; i++)
        m->data[i] = x[i] * x[i];
    swap_rows(m, 0, rows - 1);
    for (int i = 1; i < m->rows; i++)
        for (int j = 0; j < m->columns; j++)
            m->row[i][j] *= m->row[i - 1][j];
    for (int i = 0; i < rows * columns; i++)
        sum += m->data[i] * (i + 1);
    release(m);
    return sum;
}
