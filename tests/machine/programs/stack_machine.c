/* A switch in a loop: an interpreter of operation codes, with a stack. */
#include <math.h>

enum { PUSH_X, PUSH_Y, ADD, MULTIPLY, SINE, DUPLICATE, SWAP };

double stack_machine(const int *code, int n, double x, double y)
{
    double stack[32];
    int top = 0;
    for (int i = 0; i < n; i++) {
        double t;
        switch (code[i]) {
        case PUSH_X: stack[top++] = x; break;
        case PUSH_Y: stack[top++] = y; break;
        case ADD: top--; stack[top - 1] += stack[top]; break;
        case MULTIPLY: top--; stack[top - 1] *= stack[top]; break;
        case SINE: stack[top - 1] = sin(stack[top - 1]); break;
        case DUPLICATE: stack[top] = stack[top - 1]; top++; break;
        case SWAP:
            t = stack[top - 1];
            stack[top - 1] = stack[top - 2];
            stack[top - 2] = t;
            break;
        default: return 0;
        }
    }
    return stack[top - 1];
}
