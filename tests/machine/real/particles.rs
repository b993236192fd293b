//! Charged particles and rods in a box: force laws behind a trait (gravity, screened charges, bonds, drag, a wall), integrators
//! behind another (Euler, velocity Verlet, Runge-Kutta with steps that adapt), constraints that are met by projection,
//! collisions found by sorting along an axis, and observers that sum up what was seen. The numbers are masses, charges,
//! constants of the laws and the first positions.

use std::f64::consts::PI;
use std::fmt;
use std::ops::{Add, AddAssign, Div, Index, IndexMut, Mul, Neg, Sub, SubAssign};

#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Vec3 {
    x: f64,
    y: f64,
    z: f64,
}

impl Vec3 {
    const ZERO: Vec3 = Vec3 { x: 0.0, y: 0.0, z: 0.0 };

    fn new(x: f64, y: f64, z: f64) -> Self {
        Vec3 { x, y, z }
    }

    fn dot(self, other: Vec3) -> f64 {
        self.x * other.x + self.y * other.y + self.z * other.z
    }

    fn cross(self, o: Vec3) -> Vec3 {
        Vec3::new(self.y * o.z - self.z * o.y, self.z * o.x - self.x * o.z, self.x * o.y - self.y * o.x)
    }

    fn norm2(self) -> f64 {
        self.dot(self)
    }

    fn norm(self) -> f64 {
        self.norm2().sqrt()
    }

    /// The direction, or nothing where there is none.
    fn unit(self) -> Option<Vec3> {
        let length = self.norm();
        (length > 1e-12).then(|| self / length)
    }
}

impl Add for Vec3 {
    type Output = Vec3;
    fn add(self, o: Vec3) -> Vec3 {
        Vec3::new(self.x + o.x, self.y + o.y, self.z + o.z)
    }
}

impl Sub for Vec3 {
    type Output = Vec3;
    fn sub(self, o: Vec3) -> Vec3 {
        Vec3::new(self.x - o.x, self.y - o.y, self.z - o.z)
    }
}

impl Neg for Vec3 {
    type Output = Vec3;
    fn neg(self) -> Vec3 {
        Vec3::new(-self.x, -self.y, -self.z)
    }
}

impl Mul<f64> for Vec3 {
    type Output = Vec3;
    fn mul(self, s: f64) -> Vec3 {
        Vec3::new(self.x * s, self.y * s, self.z * s)
    }
}

impl Mul<Vec3> for f64 {
    type Output = Vec3;
    fn mul(self, v: Vec3) -> Vec3 {
        v * self
    }
}

impl Div<f64> for Vec3 {
    type Output = Vec3;
    fn div(self, s: f64) -> Vec3 {
        self * (1.0 / s)
    }
}

impl AddAssign for Vec3 {
    fn add_assign(&mut self, o: Vec3) {
        *self = *self + o;
    }
}

impl SubAssign for Vec3 {
    fn sub_assign(&mut self, o: Vec3) {
        *self = *self - o;
    }
}

impl std::iter::Sum for Vec3 {
    fn sum<I: Iterator<Item = Vec3>>(iter: I) -> Vec3 {
        iter.fold(Vec3::ZERO, |a, b| a + b)
    }
}

impl Index<usize> for Vec3 {
    type Output = f64;
    fn index(&self, axis: usize) -> &f64 {
        match axis {
            0 => &self.x,
            1 => &self.y,
            _ => &self.z,
        }
    }
}

impl IndexMut<usize> for Vec3 {
    fn index_mut(&mut self, axis: usize) -> &mut f64 {
        match axis {
            0 => &mut self.x,
            1 => &mut self.y,
            _ => &mut self.z,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Species {
    Ion,
    Dust,
    Anchor,
}

#[derive(Clone, Debug)]
struct Particle {
    id: usize,
    species: Species,
    mass: f64,
    charge: f64,
    radius: f64,
    position: Vec3,
    velocity: Vec3,
}

impl Particle {
    fn movable(&self) -> bool {
        self.species != Species::Anchor
    }

    fn kinetic(&self) -> f64 {
        0.5 * self.mass * self.velocity.norm2()
    }
}

#[derive(Clone, Copy, Debug)]
enum SimulationError {
    NoSuchParticle,
    StepTooSmall,
    NotFinite,
}

impl fmt::Display for SimulationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SimulationError::NoSuchParticle => write!(f, "a bond names a particle that is not there"),
            SimulationError::StepTooSmall => write!(f, "steps became too small"),
            SimulationError::NotFinite => write!(f, "not a number"),
        }
    }
}

impl std::error::Error for SimulationError {}

type Outcome<T> = Result<T, SimulationError>;

/// A law that gives each particle a force, and all of them an energy.
trait Force {
    fn add(&self, particles: &[Particle], time: f64, forces: &mut [Vec3]);
    fn energy(&self, particles: &[Particle]) -> f64;
    fn conservative(&self) -> bool {
        true
    }
}

struct Gravity {
    field: Vec3,
}

impl Force for Gravity {
    fn add(&self, particles: &[Particle], _time: f64, forces: &mut [Vec3]) {
        for (p, f) in particles.iter().zip(forces.iter_mut()) {
            *f += p.mass * self.field;
        }
    }

    fn energy(&self, particles: &[Particle]) -> f64 {
        particles.iter().map(|p| -p.mass * self.field.dot(p.position)).sum()
    }
}

/// A law between pairs, by any potential of their distance: its value and its slope.
struct Pairwise<P: Fn(&Particle, &Particle, f64) -> (f64, f64)> {
    potential: P,
    cutoff: Option<f64>,
}

impl<P: Fn(&Particle, &Particle, f64) -> (f64, f64)> Pairwise<P> {
    fn each(&self, particles: &[Particle], mut visit: impl FnMut(usize, usize, Vec3, f64, f64)) {
        for (i, a) in particles.iter().enumerate() {
            for (j, b) in particles.iter().enumerate().skip(i + 1) {
                let apart = b.position - a.position;
                let r = (apart.norm2() + 1e-3).sqrt();
                if self.cutoff.is_some_and(|c| r > c) {
                    continue;
                }
                let (value, slope) = (self.potential)(a, b, r);
                visit(i, j, apart * (slope / r), value, r);
            }
        }
    }
}

impl<P: Fn(&Particle, &Particle, f64) -> (f64, f64)> Force for Pairwise<P> {
    fn add(&self, particles: &[Particle], _time: f64, forces: &mut [Vec3]) {
        self.each(particles, |i, j, pull, _, _| {
            forces[i] += pull;
            forces[j] -= pull;
        });
    }

    fn energy(&self, particles: &[Particle]) -> f64 {
        let mut total = 0.0;
        self.each(particles, |_, _, _, value, _| total += value);
        total
    }
}

#[derive(Clone, Copy)]
struct Bond {
    a: usize,
    b: usize,
    length: f64,
    stiffness: f64,
}

struct Bonds {
    list: Vec<Bond>,
}

impl Bonds {
    /// Bonds between particles that there are.
    fn checked(list: Vec<Bond>, count: usize) -> Outcome<Self> {
        match list.iter().all(|bond| bond.a.max(bond.b) < count) {
            true => Ok(Bonds { list }),
            false => Err(SimulationError::NoSuchParticle),
        }
    }
}

impl Force for Bonds {
    fn add(&self, particles: &[Particle], _time: f64, forces: &mut [Vec3]) {
        for bond in &self.list {
            let apart = particles[bond.b].position - particles[bond.a].position;
            let Some(along) = apart.unit() else { continue };
            let pull = along * (bond.stiffness * (apart.norm() - bond.length));
            forces[bond.a] += pull;
            forces[bond.b] -= pull;
        }
    }

    fn energy(&self, particles: &[Particle]) -> f64 {
        self.list
            .iter()
            .map(|b| {
                let stretch = (particles[b.b].position - particles[b.a].position).norm() - b.length;
                0.5 * b.stiffness * stretch * stretch
            })
            .sum()
    }
}

/// Drag in a wind that turns, and the push of a magnetic field.
struct Medium {
    viscosity: f64,
    magnetic: Vec3,
    swirl: f64,
}

impl Force for Medium {
    fn add(&self, particles: &[Particle], time: f64, forces: &mut [Vec3]) {
        let wind = Vec3::new((self.swirl * time).cos(), (self.swirl * time).sin(), 0.0) * 0.2;
        forces.iter_mut().zip(particles).for_each(|(f, p)| {
            let relative = p.velocity - wind;
            let law = match p.species {
                Species::Dust => 6.0 * PI * self.viscosity * p.radius * (1.0 + 0.15 * relative.norm().powf(0.687)),
                Species::Ion => 6.0 * PI * self.viscosity * p.radius,
                Species::Anchor => 0.0,
            };
            *f -= relative * law;
            *f += p.charge * p.velocity.cross(self.magnetic);
        });
    }

    fn energy(&self, _: &[Particle]) -> f64 {
        0.0
    }

    fn conservative(&self) -> bool {
        false
    }
}

struct System {
    particles: Vec<Particle>,
    forces: Vec<Box<dyn Force>>,
    time: f64,
}

impl System {
    fn accelerations(&self) -> Vec<Vec3> {
        let mut total = vec![Vec3::ZERO; self.particles.len()];
        self.forces.iter().for_each(|law| law.add(&self.particles, self.time, &mut total));
        self.particles
            .iter()
            .zip(total)
            .map(|(p, f)| if p.movable() { f / p.mass } else { Vec3::ZERO })
            .collect()
    }

    fn energy(&self) -> f64 {
        let kinetic: f64 = self.particles.iter().map(Particle::kinetic).sum();
        let potential: f64 = self.forces.iter().filter(|law| law.conservative()).map(|law| law.energy(&self.particles)).sum();
        kinetic + potential
    }

    fn state(&self) -> Vec<(Vec3, Vec3)> {
        self.particles.iter().map(|p| (p.position, p.velocity)).collect()
    }

    fn set_state(&mut self, state: &[(Vec3, Vec3)]) {
        for (p, &(position, velocity)) in self.particles.iter_mut().zip(state) {
            p.position = position;
            p.velocity = velocity;
        }
    }

    fn centre(&self) -> Vec3 {
        let (weighed, mass) = self
            .particles
            .iter()
            .filter(|p| p.movable())
            .fold((Vec3::ZERO, 0.0), |(w, m), p| (w + p.mass * p.position, m + p.mass));
        weighed / mass
    }
}

trait Integrator {
    fn step(&mut self, system: &mut System, h: f64) -> Outcome<f64>;
}

/// Half a kick, a drift, half a kick.
struct Verlet {
    kept: Option<Vec<Vec3>>,
}

impl Integrator for Verlet {
    fn step(&mut self, system: &mut System, h: f64) -> Outcome<f64> {
        let before = self.kept.take().unwrap_or_else(|| system.accelerations());
        for (p, a) in system.particles.iter_mut().zip(&before) {
            p.velocity += 0.5 * h * *a;
            if p.movable() {
                p.position += h * p.velocity;
            }
        }
        system.time += h;
        let after = system.accelerations();
        for (p, a) in system.particles.iter_mut().zip(&after) {
            p.velocity += 0.5 * h * *a;
        }
        self.kept = Some(after);
        Ok(h)
    }
}

/// Heun's method within Euler's: the difference of both says how long the next step may be.
struct Adaptive {
    tolerance: f64,
    least: f64,
    next: Option<f64>,
    rejected: usize,
}

impl Adaptive {
    fn attempt(system: &mut System, h: f64) -> (Vec<(Vec3, Vec3)>, f64) {
        let start = system.state();
        let first = system.accelerations();
        let euler: Vec<_> = start.iter().zip(&first).map(|(&(r, v), &a)| (r + h * v, v + h * a)).collect();
        system.set_state(&euler);
        system.time += h;
        let second = system.accelerations();
        let heun: Vec<_> = start
            .iter()
            .zip(euler.iter())
            .zip(first.iter().zip(&second))
            .map(|((&(r, v), &(_, w)), (&a, &b))| (r + 0.5 * h * (v + w), v + 0.5 * h * (a + b)))
            .collect();
        let error = heun
            .iter()
            .zip(&euler)
            .map(|(p, q)| (p.0 - q.0).norm() + (p.1 - q.1).norm())
            .fold(0.0, f64::max);
        system.set_state(&start);
        system.time -= h;
        (heun, error)
    }
}

impl Integrator for Adaptive {
    fn step(&mut self, system: &mut System, h: f64) -> Outcome<f64> {
        let mut h = self.next.map_or(h, |n| n.min(h));
        loop {
            let (state, error) = Adaptive::attempt(system, h);
            if !error.is_finite() {
                return Err(SimulationError::NotFinite);
            }
            if error <= self.tolerance {
                system.set_state(&state);
                system.time += h;
                self.next = Some(h * (0.9 * (self.tolerance / (error + 1e-10)).sqrt()).clamp(0.5, 2.0));
                return Ok(h);
            }
            self.rejected += 1;
            h *= 0.5;
            if h < self.least {
                return Err(SimulationError::StepTooSmall);
            }
        }
    }
}

/// Overlapping spheres are pushed apart, and bounce: found by a sweep along x over boxes in order.
fn collide(particles: &mut [Particle], restitution: f64) -> usize {
    let mut order: Vec<usize> = (0..particles.len()).collect();
    let left = |p: &Particle| p.position.x - p.radius;
    order.sort_by(|&a, &b| left(&particles[a]).partial_cmp(&left(&particles[b])).unwrap());
    let mut met = Vec::new();
    for (k, &i) in order.iter().enumerate() {
        let right = particles[i].position.x + particles[i].radius;
        met.extend(order[k + 1..].iter().take_while(|&&j| left(&particles[j]) < right).map(|&j| (i.min(j), i.max(j))));
    }
    let mut bounced = 0;
    for (i, j) in met {
        let (head, tail) = particles.split_at_mut(j);
        let (a, b) = (&mut head[i], &mut tail[0]);
        let apart = b.position - a.position;
        let overlap = a.radius + b.radius - apart.norm();
        let Some(normal) = apart.unit().filter(|_| overlap > 0.0) else { continue };
        let share = b.mass / (a.mass + b.mass);
        a.position -= normal * (overlap * share);
        b.position += normal * (overlap * (1.0 - share));
        let closing = (b.velocity - a.velocity).dot(normal);
        if closing < 0.0 {
            let impulse = -(1.0 + restitution) * closing / (1.0 / a.mass + 1.0 / b.mass);
            a.velocity -= normal * (impulse / a.mass);
            b.velocity += normal * (impulse / b.mass);
            bounced += 1;
        }
    }
    bounced
}

/// Walls send back what would leave the box.
fn reflect(particles: &mut [Particle], half: f64) {
    for p in particles.iter_mut().filter(|p| p.movable()) {
        for axis in 0..3 {
            let limit = half - p.radius;
            if p.position[axis].abs() > limit {
                p.position[axis] = 2.0 * limit * p.position[axis].signum() - p.position[axis];
                p.velocity[axis] *= -1.0;
            }
        }
    }
}

#[derive(Default)]
struct Record {
    energies: Vec<f64>,
    path: Vec<Vec3>,
    speeds: Vec<f64>,
    bounces: usize,
}

impl Record {
    fn observe(&mut self, system: &System) {
        self.energies.push(system.energy());
        self.path.push(system.centre());
        let mut speeds: Vec<f64> = system.particles.iter().map(|p| p.velocity.norm2()).collect();
        speeds.sort_by(|a, b| b.partial_cmp(a).unwrap());
        self.speeds.push(speeds.iter().take(3).enumerate().map(|(k, s)| s / (k + 1) as f64).sum());
    }

    fn travelled(&self) -> f64 {
        self.path.windows(2).map(|w| (w[1] - w[0]).norm2()).sum::<f64>().sqrt()
    }

    fn smoothed_energy(&self) -> f64 {
        self.energies.chunks(3).map(|c| c.iter().sum::<f64>() / c.len() as f64).fold(0.0, |s, e| 0.5 * s + e)
    }
}

fn scattered(x: &[f64]) -> Vec<Particle> {
    (0..7)
        .map(|k| {
            let angle = 2.0 * PI * k as f64 / 7.0;
            let species = match k {
                0 => Species::Anchor,
                k if k % 2 == 0 => Species::Ion,
                _ => Species::Dust,
            };
            let wobble = Vec3::new(x[k % 4], x[(k + 1) % 4] - 1.0, 0.3 * x[(k + 2) % 4]) * 0.3;
            Particle {
                id: k,
                species,
                mass: 0.8 + 0.2 * x[4 + k % 2],
                charge: if species == Species::Dust { -0.3 * x[6] } else { 0.4 * x[6] },
                radius: 0.12 + 0.01 * k as f64,
                position: Vec3::new(angle.cos(), angle.sin(), 0.1 * k as f64) + wobble,
                velocity: Vec3::new(-angle.sin(), angle.cos(), 0.0) * (0.3 * x[7]),
            }
        })
        .collect()
}

fn laws(x: &[f64], count: usize) -> Outcome<Vec<Box<dyn Force>>> {
    let screening = 0.5 + x[8];
    let depth = 0.05 * x[9];
    let chain = (0..count - 1).map(|k| Bond { a: k, b: k + 1, length: 0.9, stiffness: 2.0 * x[10] }).collect();
    let yukawa = move |a: &Particle, b: &Particle, r: f64| {
        let value = a.charge * b.charge * (-r / screening).exp() / r;
        (value, -value * (1.0 / r + 1.0 / screening))
    };
    let lennard_jones = move |a: &Particle, b: &Particle, r: f64| {
        let s6 = ((a.radius + b.radius) / r).powi(6);
        (4.0 * depth * (s6 * s6 - s6), 4.0 * depth * (6.0 * s6 - 12.0 * s6 * s6) / r)
    };
    Ok(vec![
        Box::new(Gravity { field: Vec3::new(0.0, 0.0, -0.5) }),
        Box::new(Pairwise { potential: yukawa, cutoff: None }),
        Box::new(Pairwise { potential: lennard_jones, cutoff: Some(2.5) }),
        Box::new(Bonds::checked(chain, count)?),
        Box::new(Medium { viscosity: 0.02 * x[11], magnetic: Vec3::new(0.0, 0.0, 0.7), swirl: 1.5 }),
    ])
}

fn simulate(x: &[f64], mut integrator: Box<dyn Integrator>, duration: f64) -> Result<(System, Record), SimulationError> {
    let particles = scattered(x);
    let forces = laws(x, particles.len())?;
    let mut system = System { particles, forces, time: 0.0 };
    let mut record = Record::default();
    while system.time < duration - 1e-9 {
        let h = (duration - system.time).min(0.05);
        integrator.step(&mut system, h)?;
        record.bounces += collide(&mut system.particles, 0.8);
        reflect(&mut system.particles, 1.8);
        record.observe(&system);
    }
    if system.particles.iter().any(|p| !p.position.norm2().is_finite()) {
        return Err(SimulationError::NotFinite);
    }
    Ok((system, record))
}

fn measure(system: &System, record: &Record) -> f64 {
    let mut by_height: Vec<&Particle> = system.particles.iter().collect();
    by_height.sort_by(|a, b| a.position.z.partial_cmp(&b.position.z).unwrap().then(a.id.cmp(&b.id)));
    let ranked: f64 = by_height.iter().enumerate().map(|(k, p)| (k + 1) as f64 * p.position.z * p.mass).sum();
    let spin: Vec3 = system.particles.iter().map(|p| p.position.cross(p.velocity) * p.mass).sum();
    ranked + spin.norm() + record.travelled() + 0.1 * record.smoothed_energy() + 0.1 * record.speeds.last().copied().unwrap_or(0.0)
}

/// The sum of what two integrators see of the same particles.
#[no_mangle]
pub extern "C" fn particles(x: *const f64, n: i32) -> f64 {
    let x = unsafe { std::slice::from_raw_parts(x, n as usize) };
    let integrators: Vec<Box<dyn Integrator>> = vec![
        Box::new(Verlet { kept: None }),
        Box::new(Adaptive { tolerance: 0.02, least: 1e-5, next: None, rejected: 0 }),
    ];
    integrators
        .into_iter()
        .map(|integrator| match simulate(x, integrator, 0.8) {
            Ok((system, record)) => measure(&system, &record),
            Err(error) => -(error.to_string().len() as f64),
        })
        .sum()
}
