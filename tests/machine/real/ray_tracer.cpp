// A ray tracer: shapes and materials with virtual functions, textures, shadows, reflections by recursion.
// The numbers are positions, sizes, colours and the light; the result is the mean of a small image.
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

namespace {

struct Vec {
    double x = 0, y = 0, z = 0;
    Vec() = default;
    Vec(double x, double y, double z) : x(x), y(y), z(z) {}
    Vec operator+(const Vec &o) const { return {x + o.x, y + o.y, z + o.z}; }
    Vec operator-(const Vec &o) const { return {x - o.x, y - o.y, z - o.z}; }
    Vec operator*(double s) const { return {x * s, y * s, z * s}; }
    Vec operator*(const Vec &o) const { return {x * o.x, y * o.y, z * o.z}; }
    Vec operator-() const { return {-x, -y, -z}; }
    Vec &operator+=(const Vec &o) { return *this = *this + o; }
    double dot(const Vec &o) const { return x * o.x + y * o.y + z * o.z; }
    Vec cross(const Vec &o) const { return {y * o.z - z * o.y, z * o.x - x * o.z, x * o.y - y * o.x}; }
    double length() const { return std::sqrt(dot(*this)); }
    Vec unit() const { return *this * (1 / length()); }
};

Vec reflected(const Vec &d, const Vec &n) { return d - n * (2 * d.dot(n)); }

struct Ray {
    Vec origin, direction;
    Vec at(double t) const { return origin + direction * t; }
};

class Texture {
public:
    virtual ~Texture() = default;
    virtual Vec colour(const Vec &point) const = 0;
};

class Plain : public Texture {
    Vec value;
public:
    explicit Plain(const Vec &value) : value(value) {}
    Vec colour(const Vec &) const override { return value; }
};

class Waves : public Texture {
    Vec low, high;
    double frequency;
public:
    Waves(const Vec &low, const Vec &high, double frequency) : low(low), high(high), frequency(frequency) {}
    Vec colour(const Vec &p) const override
    {
        double s = 0.5 + 0.5 * std::sin(frequency * p.x) * std::cos(frequency * p.z);
        return low * (1 - s) + high * s;
    }
};

struct Material {
    std::shared_ptr<Texture> texture;
    double diffuse = 0.7, specular = 0.3, shininess = 8, mirror = 0;
};

struct Hit {
    double t = std::numeric_limits<double>::infinity();
    Vec point, normal;
    const Material *material = nullptr;
    explicit operator bool() const { return material != nullptr; }
};

class Shape {
protected:
    Material material;
public:
    explicit Shape(Material material) : material(std::move(material)) {}
    virtual ~Shape() = default;
    virtual bool intersect(const Ray &ray, double nearest, Hit &hit) const = 0;
    virtual double area() const { return 0; }
};

class Sphere : public Shape {
    Vec centre;
    double radius;
public:
    Sphere(const Vec &centre, double radius, Material m) : Shape(std::move(m)), centre(centre), radius(radius) {}
    bool intersect(const Ray &ray, double nearest, Hit &hit) const override
    {
        Vec to = ray.origin - centre;
        double b = to.dot(ray.direction), c = to.dot(to) - radius * radius, d = b * b - c;
        if (d <= 0) return false;
        double root = std::sqrt(d), t = -b - root;
        if (t < 1e-6) t = -b + root;
        if (t < 1e-6 || t >= nearest) return false;
        hit.t = t;
        hit.point = ray.at(t);
        hit.normal = (hit.point - centre) * (1 / radius);
        hit.material = &material;
        return true;
    }
    double area() const override { return 4 * 3.14159265358979 * radius * radius; }
};

class Plane : public Shape {
    Vec normal;
    double offset;
public:
    Plane(const Vec &normal, double offset, Material m) : Shape(std::move(m)), normal(normal.unit()), offset(offset) {}
    bool intersect(const Ray &ray, double nearest, Hit &hit) const override
    {
        double along = ray.direction.dot(normal);
        if (std::fabs(along) < 1e-9) return false;
        double t = (offset - ray.origin.dot(normal)) / along;
        if (t < 1e-6 || t >= nearest) return false;
        hit.t = t;
        hit.point = ray.at(t);
        hit.normal = along < 0 ? normal : -normal;
        hit.material = &material;
        return true;
    }
};

class Triangle : public Shape {
    Vec a, ab, ac;
public:
    Triangle(const Vec &a, const Vec &b, const Vec &c, Material m) : Shape(std::move(m)), a(a), ab(b - a), ac(c - a) {}
    bool intersect(const Ray &ray, double nearest, Hit &hit) const override
    {
        Vec p = ray.direction.cross(ac);
        double det = ab.dot(p);
        if (std::fabs(det) < 1e-12) return false;
        Vec s = ray.origin - a, q = s.cross(ab);
        double u = s.dot(p) / det, v = ray.direction.dot(q) / det, t = ac.dot(q) / det;
        if (u < 0 || v < 0 || u + v > 1 || t < 1e-6 || t >= nearest) return false;
        hit.t = t;
        hit.point = ray.at(t);
        Vec n = ab.cross(ac).unit();
        hit.normal = n.dot(ray.direction) < 0 ? n : -n;
        hit.material = &material;
        return true;
    }
    double area() const override { return 0.5 * ab.cross(ac).length(); }
};

struct Light {
    Vec position;
    double power;
};

class Scene {
    std::vector<std::unique_ptr<Shape>> shapes;
    std::vector<Light> lights;
public:
    template <class T, class... Arguments> void add(Arguments &&...arguments)
    {
        shapes.push_back(std::make_unique<T>(std::forward<Arguments>(arguments)...));
    }
    void add(const Light &light) { lights.push_back(light); }

    Hit nearest(const Ray &ray) const
    {
        Hit best;
        for (const auto &shape : shapes) {
            Hit hit;
            if (shape->intersect(ray, best.t, hit)) best = hit;
        }
        return best;
    }

    bool shaded(const Vec &point, const Vec &to, double distance) const
    {
        Ray ray{point, to};
        return std::any_of(shapes.begin(), shapes.end(), [&](const std::unique_ptr<Shape> &shape) {
            Hit hit;
            return shape->intersect(ray, distance, hit);
        });
    }

    Vec trace(const Ray &ray, int depth) const
    {
        Hit hit = nearest(ray);
        if (!hit) {
            double s = 0.5 * (ray.direction.y + 1);
            return Vec(1, 1, 1) * (1 - s) + Vec(0.4, 0.6, 1) * s;
        }
        const Material &m = *hit.material;
        Vec colour = m.texture->colour(hit.point), sum = colour * 0.1;
        for (const Light &light : lights) {
            Vec to = light.position - hit.point;
            double distance = to.length();
            to = to * (1 / distance);
            double facing = hit.normal.dot(to);
            if (facing <= 0 || shaded(hit.point + hit.normal * 1e-5, to, distance)) continue;
            double arriving = light.power / (1 + distance * distance);
            double shine = std::max(0.0, reflected(-to, hit.normal).dot(-ray.direction));
            sum += colour * (m.diffuse * facing * arriving);
            sum += Vec(1, 1, 1) * (m.specular * std::pow(shine, m.shininess) * arriving);
        }
        if (m.mirror > 0 && depth > 0) {
            Ray bounced{hit.point + hit.normal * 1e-5, reflected(ray.direction, hit.normal)};
            sum = sum * (1 - m.mirror) + trace(bounced, depth - 1) * m.mirror;
        }
        return sum;
    }

    double area() const
    {
        double sum = 0;
        for (const auto &shape : shapes) sum += shape->area();
        return sum;
    }
};

}  // namespace

extern "C" double ray_tracer(const double *x, int n)
{
    Scene scene;
    auto plain = [](double r, double g, double b) { return std::make_shared<Plain>(Vec(r, g, b)); };
    Material red{plain(0.9, x[0], 0.2)}, glass{plain(0.2, 0.3, x[1]), 0.4, 0.6, 16, 0.5};
    Material floor{std::make_shared<Waves>(Vec(0.1, 0.1, 0.1), Vec(x[2], 0.9, 0.9), 2 + x[3])};
    scene.add<Sphere>(Vec(x[4] - 1.5, 0.1, 4), 0.5 + 0.3 * x[5], red);
    scene.add<Sphere>(Vec(0.8, 0.2 * x[6], 3.2), 0.7, glass);
    scene.add<Plane>(Vec(0, 1, 0.05 * x[7]), -0.8, floor);
    scene.add<Triangle>(Vec(-2, -0.5, 6), Vec(2, -0.4, 6 + x[8]), Vec(0, 2.1, 6.3), red);
    scene.add(Light{Vec(2 + x[9], 3, 0.5), 9});
    scene.add(Light{Vec(-3, 2.5, 1), 3 + x[n - 1]});
    const int width = 12, height = 8;
    double sum = 0;
    for (int row = 0; row < height; row++)
        for (int column = 0; column < width; column++) {
            Vec towards((column + 0.37 - width / 2) / height * 1.6, (height / 2 - row - 0.41) / height * 1.6, 1);
            Vec seen = scene.trace(Ray{Vec(0, 0.3, -1), towards.unit()}, 3);
            sum += (0.3 * seen.x + 0.5 * seen.y + 0.2 * seen.z) * (1 + 0.1 * column);
        }
    return sum / (width * height) + 1e-3 * scene.area();
}
