// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Driving a car: from a setpoint of the ladder to steering, drive and brake, once per tick.
// A car cannot move sideways, so every level becomes a curvature and a speed:
//   trajectory  along the path: feed-forward of its curvature, and a turn towards a point ahead on it (after Coulter's pure pursuit, CMU 1992)
//   position    on an arc through the place, and stop; backwards to what is close behind
//   velocity    its direction and its size; what lies behind makes the car turn round
// The curvature becomes a steering angle through the geometry of the bicycle and the understeer gradient (Rajamani, Vehicle Dynamics and Control,
// 2012, ch. 3), the speed becomes drive or brake through a PI loop that knows the slope.
#pragma once

#include "control/guide.hpp"

namespace volary::inline VOLARY_ISA::control {

template <class T> struct CarGains {
  T tick;                  // s
  T wheelbase, to_rear;    // m, centre of mass to the rear axle
  T understeer;            // rad s2/m, steering angle per lateral acceleration
  T max_steer;             // rad
  T turning;               // m, radius that it can always drive
  T look_ahead, look_time; // m, s: how far ahead it looks, at least and per speed
  T speed_p, speed_i;      // 1/s, 1/s2
  T max_speed;             // m/s
  T cornering;             // m/s2, greatest lateral acceleration it asks for
  T acceleration, braking; // m/s2, greatest it asks for
  T full_drive, full_brake; // m/s2 with all of the drive, of the brakes
  T arrival;               // m, nearer than this is there

  template <class Self, class F> VOLARY_HD static constexpr void fields(Self& s, F& f) {
    f(Field{"ladder.tick", "s", "-", "time between two decisions of the driver"}, s.tick);
    f(Field{"ladder.wheelbase", "m", "-", "distance between the axles"}, s.wheelbase);
    f(Field{"ladder.to_rear", "m", "-", "distance from the centre of mass to the rear axle"}, s.to_rear);
    f(Field{"ladder.understeer", "rad s2/m", "-", "understeer gradient: additional steering angle per lateral acceleration"}, s.understeer);
    f(Field{"ladder.max_steer", "rad", "-", "greatest steering angle to either side"}, s.max_steer);
    f(Field{"ladder.turning", "m", "-", "radius of a turn that the car can always drive"}, s.turning);
    f(Field{"ladder.look_ahead", "m", "-", "least look-ahead distance"}, s.look_ahead);
    f(Field{"ladder.look_time", "s", "-", "look-ahead time: look-ahead distance divided by the speed"}, s.look_time);
    f(Field{"ladder.speed_p", "1/s", "-", "proportional gain of the speed loop: acceleration per speed error"}, s.speed_p);
    f(Field{"ladder.speed_i", "1/s2", "-", "integral gain of the speed loop"}, s.speed_i);
    f(Field{"ladder.max_speed", "m/s", "-", "greatest speed that the driver commands"}, s.max_speed);
    f(Field{"ladder.cornering", "m/s2", "-", "greatest lateral acceleration that the driver commands"}, s.cornering);
    f(Field{"ladder.acceleration", "m/s2", "-", "greatest acceleration that the driver commands"}, s.acceleration);
    f(Field{"ladder.braking", "m/s2", "-", "greatest deceleration that the driver commands"}, s.braking);
    f(Field{"ladder.full_drive", "m/s2", "-", "acceleration at full drive"}, s.full_drive);
    f(Field{"ladder.full_brake", "m/s2", "-", "deceleration at full brakes"}, s.full_brake);
    f(Field{"ladder.arrival", "m", "-", "distance to the goal below which the car has arrived"}, s.arrival);
  }
};

template <class T> struct CarMemory {
  T speed_integral;  // m/s2

  template <class Self, class F> VOLARY_HD static constexpr void fields(Self& s, F& f) {
    f(Field{"speed_integral", "m/s2", "-", "acceleration that the integral of the speed loop commands"}, s.speed_integral);
  }
};

// what the driver sees; seen from above, x east and y north
template <class T> struct CarView {
  Position<T> position_W;
  T forward_x, forward_y;  // where the nose points, length 1
  T speed, sideways;       // m/s along the nose, to its left
  T uphill;                // m/s2, gravity against the nose
};

// what the wheels are told: steering angle to the left, shares of drive (-1 backwards) and brake
template <class T> struct CarCommand {
  T steer, drive, brake;  // rad, -1..1, 0..1
};

// the way to go on: how it bends, to the left, and how fast; below 0 backwards
template <class T> struct CarCourse {
  T curvature, speed;  // 1/m, m/s
};

// the direction that the car moves along, seen from above: its velocity, and where it hardly moves its nose; forwards also when it backs
template <class T> struct CarLine {
  T x, y;
};
template <class T> VOLARY_HD CarLine<T> line_of(const CarView<T>& car) {
  const T along = abs(car.speed) + splat<T>(0.3), aside = copysign(splat<T>(1), car.speed) * car.sideways;
  const T x = fma(along, car.forward_x, -(aside * car.forward_y)), y = fma(along, car.forward_y, aside * car.forward_x);
  const T inv = splat<T>(1) / sqrt(fma(x, x, y * y));
  return {x * inv, y * inv};
}

template <class T> VOLARY_HD T look_ahead(const CarView<T>& car, const CarGains<T>& g) { return max(g.look_ahead, g.look_time * car.speed); }

// the curvature of a motion in a plane, at most what the car can drive
template <class T> VOLARY_HD T bend_of(const Vec3<T>& velocity, const Vec3<T>& acceleration, T inv_speed, const CarGains<T>& g) {
  const T bend = fma(velocity.x, acceleration.y, -(velocity.y * acceleration.x)) * (inv_speed * inv_speed * inv_speed), most = splat<T>(1) / g.turning;
  return clamp(bend, -most, most);
}

// turns the car into a direction (x, y) of length 1, on a way that bends by itself
template <class T> VOLARY_HD T turn_into(T x, T y, T bend, const CarView<T>& car, const CarGains<T>& g) {
  const CarLine<T> line = line_of(car);
  const T sine = fma(line.x, y, -(line.y * x)), cosine = fma(line.x, x, line.y * y);
  const T turn = select(cosine < splat<T>(0), copysign(splat<T>(1), sine), sine);  // behind: all the way
  return fma(splat<T>(2) / look_ahead(car, g), turn, bend * max(cosine, splat<T>(0)));
}

// along a path whose point `sp` is abreast of the car, or ahead of it
template <class T> VOLARY_HD CarCourse<T> course_along(const Reference<T>& sp, const CarView<T>& car, const CarGains<T>& g) {
  const T vx = sp.velocity_W.x, vy = sp.velocity_W.y;
  const T speed = sqrt(fma(vx, vx, vy * vy)), inv = splat<T>(1) / max(speed, splat<T>(1e-3));
  const T tx = vx * inv, ty = vy * inv;
  const Vec3<T> way = sp.position_W - car.position_W;
  const T ahead = fma(tx, way.x, ty * way.y), aside = fma(tx, way.y, -(ty * way.x));  // of the path from the car, to the left
  // the tangent, turned towards the path: steeply where it is far, gently where it is near
  const T reach = splat<T>(1.5) * look_ahead(car, g);
  const T dx = fma(reach, tx, -(aside * ty)), dy = fma(reach, ty, aside * tx);
  const T length = splat<T>(1) / sqrt(fma(dx, dx, dy * dy));
  // who is late makes up for it a little; who is past the end of the path stops
  const T catch_up = clamp(splat<T>(0.3) * ahead, -speed, splat<T>(0.2) * speed);
  return {turn_into(dx * length, dy * length, bend_of(sp.velocity_W, sp.acceleration_W, inv, g), car, g), speed + catch_up};
}

// To a place, and stop there, on the arc through it that the car is on the tangent of: forwards to what lies ahead, backwards to what lies close behind. A
// place on an arc that is too tight is driven away from first, until it can be reached with room to spare; which of the two the car is at, its own
// speed tells. What lies far behind makes it turn round.
template <class T> VOLARY_HD CarCourse<T> course_to(const Position<T>& place, const CarView<T>& car, const CarGains<T>& g) {
  const T one = splat<T>(1);
  const Vec3<T> way = place - car.position_W;
  const T left = fma(car.forward_x, way.y, -(car.forward_y * way.x)), ahead = fma(car.forward_x, way.x, car.forward_y * way.y);
  const T distance2 = fma(ahead, ahead, left * left), distance = sqrt(distance2);
  const T towards = copysign(one, ahead), tight = splat<T>(2) * abs(left) * g.turning;  // distance^2 on the tightest arc
  const T closing = car.speed * towards;
  const T room = select(closing > splat<T>(0.1), splat<T>(0.9), select(closing < splat<T>(-0.1), splat<T>(1.4), one));
  const Mask<T> away = distance2 < room * tight;
  const Mask<T> round = (ahead < splat<T>(0)) & (distance > splat<T>(4) * g.turning);
  const T arc = splat<T>(2) * left / max(distance2, splat<T>(1e-6)), full = copysign(one / g.turning, left);
  const T slow = min(sqrt(g.braking * distance), distance + splat<T>(0.3));
  const T speed = select(away, -towards * min(slow, splat<T>(2)), select(round, slow, towards * slow));
  // who has come to rest a hand's breadth short stays: another try, back and forth, would end no nearer
  const T slack = select(abs(car.speed) < splat<T>(0.3), splat<T>(1.15), one);
  return {select(away, splat<T>(0), select(round, full, arc)), select(distance < slack * g.arrival, splat<T>(0), speed)};
}

// the direction and the size of a velocity; lateral acceleration is a curvature
template <class T> VOLARY_HD CarCourse<T> course_of(const Reference<T>& sp, const CarView<T>& car, const CarGains<T>& g) {
  const T vx = sp.velocity_W.x, vy = sp.velocity_W.y;
  const T speed = sqrt(fma(vx, vx, vy * vy)), inv = splat<T>(1) / max(speed, splat<T>(1e-3));
  const Mask<T> still = speed < splat<T>(0.05);
  const T turn = turn_into(vx * inv, vy * inv, bend_of(sp.velocity_W, sp.acceleration_W, inv, g), car, g);
  return {select(still, splat<T>(0), turn), select(still, splat<T>(0), speed)};
}

// the course that the setpoint asks for; control levels that have none stop the car
template <class T> VOLARY_HD CarCourse<T> car_course(const Reference<T>& sp, const CarView<T>& car, const CarGains<T>& g) {
  const Mask<T> on_path = sp.level == bits_of<T>(6), by_velocity = sp.level == bits_of<T>(4);
  const T moving = fma(sp.velocity_W.x, sp.velocity_W.x, sp.velocity_W.y * sp.velocity_W.y);
  const Mask<T> to_place = (sp.level == bits_of<T>(5)) | (on_path & (moving < splat<T>(0.0025)));  // a path that stands is a place
  const CarCourse<T> direction = course_of(sp, car, g), path = course_along(sp, car, g), place = course_to(sp.position_W, car, g);
  const T zero = splat<T>(0);
  return {select(to_place, place.curvature, select(on_path, path.curvature, select(by_velocity, direction.curvature, zero))),
          select(to_place, place.speed, select(on_path, path.speed, select(by_velocity, direction.speed, zero)))};
}

// the steering angle for a curvature of the centre of mass: the bicycle's geometry, and what the tyres give way
template <class T> VOLARY_HD T steer_for(T curvature, T speed, const CarGains<T>& g) {
  const T limit = splat<T>(0.9) / max(g.to_rear, splat<T>(1e-3)), k = clamp(curvature, -limit, limit);
  const T lean = g.to_rear * k;
  const T angle = atan2(g.wheelbase * k, sqrt(fma(-lean, lean, splat<T>(1))));
  return clamp(fma(g.understeer * speed * speed, k, angle), -g.max_steer, g.max_steer);
}

// drive and brake for a speed
template <class T> VOLARY_HD CarCommand<T> pedals_for(T wanted, T steer, const CarView<T>& car, const CarGains<T>& g, CarMemory<T>& m) {
  const T zero = splat<T>(0), one = splat<T>(1);
  const Mask<T> stop = abs(wanted) < splat<T>(0.05);
  // backwards is forwards in a mirror
  const T gear = copysign(one, wanted), speed = gear * car.speed, error = abs(wanted) - speed;
  const T asked = fma(g.speed_p, error, m.speed_integral);
  const T a = clamp(asked, -g.braking, g.acceleration);
  // the integral rests where the limits speak, and where the car is to stand
  const T grown = clamp(fma(g.tick * g.speed_i, error, m.speed_integral), splat<T>(-3), splat<T>(3));
  m.speed_integral = select(stop, zero, select(a == asked, grown, m.speed_integral));
  const T push = fma(gear, car.uphill, a);
  const T drive = gear * clamp(push / g.full_drive, zero, one), brake = clamp(-push / g.full_brake, zero, one);
  // who has stopped stays where it is, whatever the slope
  const T slowing = select(abs(car.speed) < splat<T>(0.2), one, min(g.braking / g.full_brake, one));
  return {steer, select(stop, zero, drive), select(stop, slowing, brake)};
}

// one decision of the driver
template <class T> VOLARY_HD CarCommand<T> drive_car(const Reference<T>& sp, const CarView<T>& car, const CarGains<T>& g, CarMemory<T>& m) {
  const CarCourse<T> c = car_course(sp, car, g);
  const T tightest = splat<T>(1) / g.turning, curvature = clamp(c.curvature, -tightest, tightest);
  const T most = min(g.max_speed, sqrt(g.cornering / max(abs(curvature), splat<T>(1e-5))));
  return pedals_for(clamp(c.speed, -most, most), steer_for(curvature, car.speed, g), car, g, m);
}

}  // namespace volary::inline VOLARY_ISA::control
