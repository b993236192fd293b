// A heap of structs, ordered by a lambda, and a std::function that is called for each.
#include <algorithm>
#include <functional>
#include <vector>

struct Item {
    double key;
    int place;
};

extern "C" double std_heap(const double *x, int n)
{
    std::vector<Item> items;
    for (int i = 0; i < n; i++)
        items.push_back({x[i] * x[i], i});
    auto later = [](const Item &a, const Item &b) { return a.key > b.key; };
    std::make_heap(items.begin(), items.end(), later);
    std::sort_heap(items.begin(), items.end(), later);
    double sum = 0;
    std::function<void(const Item &)> add = [&](const Item &item) { sum = sum * 0.5 + item.key * (item.place + 1); };
    for (const Item &item : items)
        add(item);
    return sum;
}
