// Strings of the C++ library beside active numbers: as keys and members, parsed, moved, changed, and in variants.
#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

// "key=value" in text, where "$k" is one of the numbers.
static std::map<std::string, double> parse(const std::string &text, const double *x, int n)
{
    std::map<std::string, double> found;
    std::string key, value;
    bool in_value = false;
    for (char c : text + ";") {
        if (c == '=') in_value = true;
        else if (c == ';') {
            int k = value[0] == '$' ? std::stoi(value.substr(1)) : -1;
            found[key] = k >= 0 ? x[k % n] : std::stod(value);
            key.clear(), value.clear();
            in_value = false;
        } else (in_value ? value : key).push_back(c);
    }
    return found;
}

extern "C" double settings(const double *x, int n)
{
    auto p = parse("mass=$0;length=$1;g=9.81;a name that has no room in the string itself=$2", x, n);
    double sum = p["mass"] * p["g"] * std::sin(p["length"]);
    for (auto &[name, value] : p) sum += value * value * name.size();
    return sum * (p.count("mass") + 0.5 * p.count("masses"));
}

struct Item {
    std::string name;
    double value;
    std::vector<double> data;
};

extern "C" double items(const double *x, int n)
{
    std::vector<Item> items;
    std::unordered_map<std::string, double> sums;
    for (int i = 0; i < n; i++) {
        items.push_back({"item " + std::to_string(i * 7 % 11), x[i] * x[i], std::vector<double>(3, x[i])});
        sums[i % 2 ? "odd" : "even, in a name that is long"] += x[i] * x[(i + 1) % n];
    }
    std::sort(items.begin(), items.end(), [](const Item &a, const Item &b) { return a.name < b.name; });
    double sum = sums.at("odd") * sums["even, in a name that is long"];
    for (std::size_t i = 0; i < items.size(); i++) sum += (i + 1) * items[i].value * items[i].data[1] * (items[i].name == "item 7" ? 3 : 1);
    return sum;
}

struct Model {
    std::map<std::string, double> values;
    std::string title;
    double scale = 1;
};

static double total(const Model &m)
{
    double sum = 0;
    for (auto &[name, value] : m.values) sum += value * m.scale * name.size();
    return sum * m.title.size();
}

// What is copied, moved and erased, in a struct that owns the map.
extern "C" double models(const double *x, int n)
{
    Model a;
    a.title = "base";
    for (int i = 0; i < n; i++) a.values[std::string(i + 1, 'a')] = x[i];
    Model b = a;
    b.scale = x[1], b.title += " modified";
    b.values["aa"] *= x[0];
    b.values.erase("aaa");
    Model c = std::move(b);
    std::vector<Model> models{a, c};
    double sum = 0;
    for (const Model &m : models) sum += total(m);
    return sum;
}

using Any = std::variant<double, std::string, std::vector<double>>;

extern "C" double variants(const double *x, int n)
{
    std::vector<Any> all;
    for (int i = 0; i < n; i++) {
        if (i % 3 == 0) all.push_back(x[i] * x[i]);
        else if (i % 3 == 1) all.push_back("text " + std::to_string(i));
        else all.push_back(std::vector<double>(3, x[i]));
    }
    all[0] = std::string("a text in the place of a number, too long for the string itself");
    all[1] = x[1] * 3;
    double sum = 0;
    for (const Any &one : all) {
        if (auto number = std::get_if<double>(&one)) sum += std::sin(*number);
        else if (auto text = std::get_if<std::string>(&one)) sum += text->size() * x[0];
        else for (double d : std::get<std::vector<double>>(one)) sum += d * d;
    }
    return sum;
}

struct Label {
    const std::string &name;
    const char *text;
    double scale;
};

static std::string &longest(std::vector<std::string> &v)
{
    return *std::max_element(v.begin(), v.end(), [](const auto &a, const auto &b) { return a.size() < b.size(); });
}

// References to strings and pointers into them, in structs with numbers; characters that are changed in place.
extern "C" double labels(const double *x, int n)
{
    std::vector<std::string> names;
    for (int i = 0; i < n; i++) names.push_back(std::string("a") + std::string(i * 5 % 7, 'q'));
    double sum = 0;
    for (int i = 0; i < n; i++) {
        std::string &name = longest(names);
        Label label{name, name.c_str(), x[i]};
        sum += x[(i + 1) % n] * label.scale * (label.name.size() + (label.text[0] == 'a' ? 1 : 2));
        name.erase(0, 2);
        for (char &c : name) c = c == 'q' ? 'a' : c;
        if (name.empty()) name = "begun again";
        std::swap(names[0], names[i]);
    }
    return sum;
}

// A text of an active number is none, nor is what is read from it.
extern "C" double written(const double *x, int n)
{
    std::map<std::string, double> sorted;
    for (int i = 0; i < n; i++) sorted[std::to_string(3 * x[i])] = x[i];
    double sum = 0;
    int k = 1;
    for (auto &[text, value] : sorted) sum += k++ * value * std::stod("2" + text.substr(text.size()));
    return sum;
}
