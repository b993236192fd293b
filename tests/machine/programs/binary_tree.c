/* A search tree: built by comparing, walked by recursion, freed. */
#include <stdlib.h>

typedef struct Tree { double key; int count; struct Tree *left, *right; } Tree;

__attribute__((noinline)) static Tree *insert(Tree *tree, double key)
{
    if (!tree) {
        tree = malloc(sizeof *tree);
        *tree = (Tree){key, 1, NULL, NULL};
    } else if (key < tree->key)
        tree->left = insert(tree->left, key);
    else
        tree->right = insert(tree->right, key);
    return tree;
}

__attribute__((noinline)) static double fold(const Tree *tree, int depth)
{
    if (!tree)
        return 1;
    double left = fold(tree->left, depth + 1), right = fold(tree->right, depth + 1);
    return tree->key * left + right * tree->key * tree->key / depth;
}

__attribute__((noinline)) static void release(Tree *tree)
{
    if (!tree)
        return;
    release(tree->left);
    release(tree->right);
    free(tree);
}

double binary_tree(const double *x, int n)
{
    Tree *tree = NULL;
    for (int i = 0; i < n; i++)
        tree = insert(tree, x[i]);
    double result = fold(tree, 1);
    release(tree);
    return result;
}
