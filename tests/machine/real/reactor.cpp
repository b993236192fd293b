// A chemical plant from a description in text: an INI file with sections, expressions in names of parameters, units and lists is
// read into maps, checked, and turned into species, reactions written as "A + 2 B -> C", and streams between vessels; the balances
// are integrated by a stiff method with sparse rows by name, logged under labels, and summed into a report that is sorted by name.
// The numbers that are written as "$k" are the caller's.
#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstddef>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace text {

inline std::string trimmed(const std::string &s) {
    std::size_t begin = s.find_first_not_of(" \t\r"), end = s.find_last_not_of(" \t\r");
    return begin == std::string::npos ? std::string() : s.substr(begin, end - begin + 1);
}

inline std::vector<std::string> parts(const std::string &s, const std::string &separator) {
    std::vector<std::string> found;
    std::size_t at = 0;
    for (std::size_t next; (next = s.find(separator, at)) != std::string::npos; at = next + separator.size())
        found.push_back(trimmed(s.substr(at, next - at)));
    found.push_back(trimmed(s.substr(at)));
    return found;
}

inline std::string upper(std::string s) {
    for (char &c : s) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    return s;
}

}  // namespace text

// ---------------------------------------------------------------------------------------------------------------------
// Values with units, in SI.

struct Missing {
    std::string what;
};

struct Quantity {
    std::string unit;
    double value = 0;
};

double factor_of(const std::string &unit) {
    static const struct {
        const char *name;
        double factor;
    } units[] = {{"-", 1}, {"s", 1}, {"min", 60}, {"K", 1}, {"kJ/mol", 1e3}, {"J/mol", 1}, {"L", 1e-3}, {"m3", 1}, {"mol/L", 1e3}, {"L/min", 1e-3 / 60}};
    for (const auto &known : units)
        if (unit == known.name) return known.factor;
    throw Missing{"there is no unit " + unit};
}

using Parameters = std::map<std::string, Quantity>;

double get(const Parameters &parameters, const std::string &name) {
    auto found = parameters.find(name);
    if (found == parameters.end()) throw Missing{"there is no " + name};
    return found->second.value;
}

double get(const Parameters &parameters, const std::string &name, double otherwise) {
    auto found = parameters.find(name);
    return found == parameters.end() ? otherwise : found->second.value;
}

Quantity quantity(const std::string &words, const double *given, int n) {
    Quantity made;
    std::size_t space = words.find(' ');
    std::string number = words.substr(0, space);
    made.unit = space == std::string::npos ? "-" : text::trimmed(words.substr(space + 1));
    double scale = 1;
    if (std::size_t star = number.find('*'); star != std::string::npos) {
        scale = std::stod(number.substr(star + 1));
        number.erase(star);
    }
    double value = number[0] == '$' ? given[std::stoi(number.substr(1)) % n] : std::stod(number);
    made.value = value * scale * factor_of(made.unit);
    return made;
}

// What is in the sections: values by name, other lines as they are, and the sections in their order.
Parameters parse(const std::string &source, const double *given, int n, std::map<std::string, std::vector<std::string>> &lines, std::vector<std::string> &order) {
    Parameters found;
    std::string section = "GENERAL";
    for (const std::string &raw : text::parts(source, "\n")) {
        std::string line = text::trimmed(raw.substr(0, raw.find('#')));
        if (line.empty()) continue;
        std::size_t equals = line.find('=');
        if (line.front() == '[' && line.back() == ']') {
            section = text::upper(line.substr(1, line.size() - 2));
            order.push_back(section);
        } else if (equals == std::string::npos) {
            lines[section].push_back(line);
        } else {
            found[section + "." + text::trimmed(line.substr(0, equals))] = quantity(text::trimmed(line.substr(equals + 1)), given, n);
        }
    }
    return found;
}

double checksum(const Parameters &parameters) {
    double sum = 0;
    for (const auto &[name, quantity] : parameters) sum += quantity.value * (name.size() + quantity.unit.size());
    return sum;
}

// ---------------------------------------------------------------------------------------------------------------------
// Reactions.

struct Term {
    std::string species;
    double count;
};

struct Reaction {
    std::string label;
    std::vector<Term> from, to;
    double factor, energy, heat;

    double constant(double temperature) const { return factor * std::exp(-energy / 8.314 * (1 / temperature - 1 / 350.0)); }
};

class Chemistry {
public:
    Chemistry(const Parameters &d, const std::vector<std::string> &lines) {
        for (const std::string &line : lines) {
            std::vector<std::string> named = text::parts(line, ":"), sides = text::parts(named.at(1), "->");
            const std::string &label = named.front();
            double factor = get(d, "KINETICS." + label + ".k"), energy = get(d, "KINETICS." + label + ".E");
            reactions_.push_back({label, terms(sides.at(0)), terms(sides.at(1)), factor, energy, get(d, "KINETICS." + label + ".H", 0)});
        }
        std::sort(reactions_.begin(), reactions_.end(), [](const Reaction &a, const Reaction &b) { return a.label < b.label; });
        for (const Reaction &r : reactions_)
            for (const std::vector<Term> *side : {&r.from, &r.to})
                for (const Term &t : *side)
                    if (at(t.species) == names_.size()) names_.push_back(t.species);
    }

    std::size_t at(const std::string &species) const { return std::find(names_.begin(), names_.end(), species) - names_.begin(); }
    const std::vector<std::string> &names() const { return names_; }

    // Adds what is made in a second to `rates`; gives the heat.
    double rates(const std::vector<double> &c, double temperature, std::vector<double> &rates) const {
        double heat = 0;
        for (const Reaction &r : reactions_) {
            double speed = r.constant(temperature);
            for (const Term &t : r.from) speed *= std::pow(std::fabs(c[at(t.species)]) + 1e-9, t.count);
            for (const Term &t : r.from) rates[at(t.species)] -= t.count * speed;
            for (const Term &t : r.to) rates[at(t.species)] += t.count * speed;
            heat += r.heat * speed;
        }
        return heat;
    }

private:
    static std::vector<Term> terms(const std::string &side) {
        std::vector<Term> found;
        for (const std::string &word : text::parts(side, "+")) {
            std::size_t space = word.find(' ');
            if (space == std::string::npos) found.push_back({word, 1});
            else found.push_back({word.substr(space + 1), std::stod(word.substr(0, space))});
        }
        return found;
    }

    std::vector<Reaction> reactions_;
    std::vector<std::string> names_;
};

// ---------------------------------------------------------------------------------------------------------------------
// Vessels in a row.

struct Vessel {
    std::string name;
    double volume, temperature;
    std::vector<double> concentrations;
};

class Plant {
public:
    Plant(const Parameters &d, const Chemistry &chemistry, const std::vector<std::string> &sections)
        : chemistry_(chemistry), flow_(get(d, "FEED.flow")), coolant_(get(d, "GENERAL.coolant", 0.1)) {
        for (const std::string &section : sections) {
            if (section.compare(0, 6, "VESSEL") != 0) continue;
            Vessel v{section.substr(7), get(d, section + ".volume"), get(d, section + ".temperature"), {}};
            v.concentrations.assign(chemistry_.names().size(), 0.0);
            vessels_.push_back(std::move(v));
        }
        feed_.assign(chemistry_.names().size(), 0.0);
        for (const std::string &name : chemistry_.names()) feed_[chemistry_.at(name)] = get(d, "FEED." + name, 0.0) / 1e3;
    }

    void run(int steps, double dt, std::unordered_map<std::string, double> &log) {
        for (int k = 0; k < steps; ++k) {
            const std::vector<double> *inflow = &feed_;
            for (Vessel &v : vessels_) {
                step(v, *inflow, dt);
                inflow = &v.concentrations;
                if (k % 4 == 3) log[v.name + " " + std::to_string(k / 4)] = v.temperature * 1e-2 + v.concentrations.back();
            }
        }
    }

    // By name of what is counted; names of the library's order.
    std::map<std::string, double> report() const {
        std::map<std::string, double> sums;
        for (const Vessel &v : vessels_) {
            for (const std::string &name : chemistry_.names()) sums[name + "@" + v.name] += v.concentrations[chemistry_.at(name)] * v.volume * 1e3;
            sums["temperature"] += v.temperature / 300;
        }
        return sums;
    }

private:
    // A round of Newton's method for the implicit step, with a diagonal for the matrix.
    void step(Vessel &v, const std::vector<double> &inflow, double dt) {
        std::vector<double> next = v.concentrations, made(next.size());
        double turnover = flow_ / v.volume, heat = 0;
        for (int round = 0; round < 3; ++round) {
            std::fill(made.begin(), made.end(), 0.0);
            heat = chemistry_.rates(next, v.temperature, made);
            for (std::size_t i = 0; i < next.size(); ++i) {
                double wrong = next[i] - v.concentrations[i] - dt * (turnover * (inflow[i] - next[i]) + made[i]);
                next[i] -= wrong / (1 + dt * (turnover + 0.5));
            }
        }
        v.temperature += dt * (heat - coolant_ * (v.temperature - 300));
        v.concentrations.swap(next);
    }

    const Chemistry &chemistry_;
    double flow_, coolant_;
    std::vector<double> feed_;
    std::vector<Vessel> vessels_;
};

static const char *const source = R"(
coolant = $0*0.02 -
[Feed]          # what comes in
flow = $1*3 L/min
A = $2 mol/L
Benzaldehyde = $3*0.5 mol/L
[Kinetics]
first.k = $4*0.02
first.E = $5*30 kJ/mol
first.H = $6*2
second.k = $7*0.01
second.E = $8*20 kJ/mol
back.k = 0.001
back.E = $9*10 kJ/mol
[Reactions]
first: A + Benzaldehyde -> Intermediate_product
second: 2 Intermediate_product -> C + A
back: C -> Intermediate_product
[Vessel north]
volume = $10*2 L
temperature = 340 K
[Vessel south, with a name that is long]
volume = 3 L
temperature = $11*330 K
)";

extern "C" double reactor(const double *x, int n) {
    std::map<std::string, std::vector<std::string>> lines;
    std::vector<std::string> order;
    Parameters parameters = parse(source, x, n, lines, order);
    double penalty = 0;
    try {
        penalty = get(parameters, "FEED.pressure");
    } catch (const Missing &missing) {
        penalty = 0.01 * missing.what.size() * x[0];
    }
    Chemistry chemistry(parameters, lines.at("REACTIONS"));
    Plant plant(parameters, chemistry, order);
    std::unordered_map<std::string, double> log;
    plant.run(16, 2.0, log);
    double total = 0, weight = 1;
    std::vector<std::pair<std::string, double>> rows;
    for (const auto &[name, value] : plant.report()) rows.emplace_back(name, value);
    std::stable_sort(rows.begin(), rows.end(), [](const auto &a, const auto &b) { return a.first.size() < b.first.size(); });
    for (const auto &[name, value] : rows) total += value * value * (weight *= 0.9) * (name.find('@') != std::string::npos ? 2 : 1);
    for (const char *label : {"NORTH 0", "NORTH 3", "SOUTH, WITH A NAME THAT IS LONG 2"}) total += log.at(label) * log.count(label);
    return total + penalty + 1e-5 * checksum(parameters);
}
