// std::sort of structs by a lambda, and a std::function that is called for each.
#include <algorithm>
#include <functional>
#include <vector>

struct Item {
    double key;
    int place;
};

extern "C" double std_sort(const double *x, int n)
{
    std::vector<Item> items;
    for (int i = 0; i < n; i++)
        items.push_back({x[i] * x[i], i});
    std::sort(items.begin(), items.end(), [](const Item &a, const Item &b) { return a.key > b.key; });
    double sum = 0;
    std::function<void(const Item &)> add = [&](const Item &item) { sum = sum * 0.5 + item.key * (item.place + 1); };
    for (const Item &item : items)
        add(item);
    return sum;
}
