/* A list built at the front, changed in place, summed and freed. */
#include <stdlib.h>

typedef struct Node { double value; struct Node *next; } Node;

double linked_list(const double *x, int n)
{
    Node *list = NULL;
    for (int i = 0; i < n; i++) {
        Node *node = malloc(sizeof *node);
        node->value = x[i] * (i + 1);
        node->next = list;
        list = node;
    }
    for (Node *node = list; node->next; node = node->next)
        node->next->value += node->value * node->value * 0.1;
    double sum = 0;
    for (Node *node = list; node; node = node->next)
        sum = sum * 0.5 + node->value * node->value;
    while (list) {
        Node *next = list->next;
        free(list);
        list = next;
    }
    return sum;
}
