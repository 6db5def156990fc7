// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What all sensors share: what they see, who draws, what a fault does, and the contract of a sensor X of the list in sensors/all.hpp:
//
//   struct X {
//     static constexpr const char *name, *doc;   as in `sensors: {name: ...}` of a scenario and in the names of its columns
//     static constexpr Purpose kPurpose;         its random numbers are its own: without X nobody else draws anything different
//     using Def = ...;                           include/volary/sensors.hpp
//     template <class T> struct Params;          only scalars T, derived in double
//     template <class T> struct Memory;          errors that last, part of the state
//     template <class T> struct Scene;           what the engine looks up in a world that is not flat and empty
//     template <class T> struct Reading;         ends with `valid` and `tick`
//     static Params<double> derive(const Def&, const EnvironmentDef&, double tick);
//     template <class T> static Scene<T> clear();                                  the scene of a flat and empty world
//     template <class T> static Memory<T> begin(const Params<T>&, const Draws<T>&);
//     template <class T> static Reading<T> measure(const Truth<T>&, const Site<Scalar<T>>&, const Scene<T>&, Memory<T>&, const Reading<T>& last,
//                                                  const Params<T>&, const FaultTerms<T>&, const Draws<T>&);
//   };
//
// All structs but Params list their fields (math/rows.hpp): their rows, columns and documentation come from that list.
#pragma once

#include "environment/atmosphere.hpp"
#include "environment/gust.hpp"
#include "environment/local_magnetic.hpp"
#include "math/identity.hpp"
#include "math/normals.hpp"
#include "volary/def.hpp"
#include "volary/sensors.hpp"

namespace volary::inline VOLARY_ISA::sensors {

using namespace math;

// the true state of a vehicle when it is measured
template <class T> struct Truth {
  Position<T> position_W;  // m
  Vec3<T> velocity_W;      // m/s
  Quat<T> q_WB;
  Vec3<T> omega_B;         // rad/s
  Vec3<T> wind_W;          // m/s, with the vehicle's own gust
  T density;               // kg/m3
  T rotor_load;            // 0 to 1: mean of the squared rotor speeds over the square of the greatest speed
};

// the place on the Earth that all vehicles of a world share
template <class S> struct Site {
  environment::LocalMagnetic<S> magnetic;
  environment::Atmosphere<S> atmosphere;
  S gravity;                 // m/s2
  S origin_height;           // m above sea level
  S origin_pressure_height;  // m: what a barometer shows at the origin
  S ground_height;           // m, of flat ground
};
template <class S> Site<S> site_as(const Site<double>& s) {
  return {environment::magnetic_as<S>(s.magnetic), environment::atmosphere_as<S>(s.atmosphere), static_cast<S>(s.gravity),
          static_cast<S>(s.origin_height),         static_cast<S>(s.origin_pressure_height),    static_cast<S>(s.ground_height)};
}

// The random numbers of one vehicle per lane at one tick of its world.
template <class T> struct Draws {
  Identity<T> who;
  std::uint64_t tick;
  const Bits<Scalar<T>>* ticks = nullptr;  // two rows, low and high words, where every lane has a tick of its own; none: all have `tick`

  VOLARY_HD Words4<Bits<T>> words(Purpose purpose, std::uint32_t draw) const {
    if (ticks == nullptr) return who.draw(purpose, tick, draw);
    return who.draw(purpose, load(ticks, Bits<T>()), load(ticks + kBlock, Bits<T>()), draw);
  }
  VOLARY_HD Normals8<T> normals(Purpose purpose, std::uint32_t draw) const { return normals8<T>(words(purpose, draw)); }
  VOLARY_HD T uniform(Purpose purpose, std::uint32_t draw) const { return environment::uniform<T>(words(purpose, draw).w[0]); }
  // what is drawn once per episode: number `n` of a sensor
  VOLARY_HD Normals8<T> once(Purpose sensor, std::uint32_t n) const {
    return normals8<T>(who.draw(Purpose::TurnOn, (static_cast<std::uint64_t>(sensor) << 8) | n, 0));
  }
};

// What a fault does to a reading: y = hold ? last : scale y + offset + sigma n, and it is lost with probability `drop`. Every kind of fault is one of these
// terms or several.
template <class T> struct FaultTerms {
  T scale, sigma, drop, hold;
  Vec3<T> offset;
};
template <class T> VOLARY_HD FaultTerms<T> no_fault() { return {splat<T>(1), splat<T>(0), splat<T>(0), splat<T>(0), zero3<T>()}; }

// The terms as rows beside those of the vehicle, which a flock has from the first fault of a sensor on (engine/faults.hpp writes them): of the gyroscope, of the
// accelerometer, of every sensor of the list with both UWB radios as one, and of the estimator. Each has the terms in their order and a delay in readings.
inline constexpr int kFaultTerms = 8, kFaultDelay = 7;  // rows of one of them; which of the rows is the delay
inline constexpr int kGyroFault = 0, kAccelerometerFault = 1, kEstimatorFault = 11, kFaultRows = 12 * kFaultTerms;
VOLARY_HD constexpr int fault_of_sensor(int number) { return number < 7 ? 2 + number : 1 + number; }  // number in AllSensors
template <class T> VOLARY_HD FaultTerms<T> load_fault(const Scalar<T>* rows, int which) {
  RowLoader<Scalar<T>> loader{rows + which * (kFaultTerms * kBlock)};
  FaultTerms<T> f;
  loader(f.scale), loader(f.sigma), loader(f.drop), loader(f.hold);
  each_scalar(f.offset, loader);
  return f;
}
template <class T> VOLARY_HD T load_delay(const Scalar<T>* rows, int which) { return load(rows + (which * kFaultTerms + kFaultDelay) * kBlock, T()); }

// ---------------------------------------------------------------- readings

// the low 32 bits of a tick
template <class T> VOLARY_HD Bits<T> tick_word(std::uint64_t tick) { return bit_constant<T>(tick & 0xffffffffu, tick & 0xffffffffu); }
template <class T> VOLARY_HD Bits<T> flag(Mask<T> m) { return select(m, bit_constant<T>(1, 1), bit_constant<T>(0, 0)); }
template <class T> VOLARY_HD Mask<T> is_set(Bits<T> word) { return !(word == bit_constant<T>(0, 0)); }

// visitors: the scalars of a struct in a line, and a choice between such a line and another struct
template <class T> struct Gathered {
  static constexpr int kMost = 32;
  T value[kMost];
  Bits<T> word[kMost];
  int values = 0, words = 0;
  VOLARY_HD void operator()(T& x) { value[values++] = x; }
  VOLARY_HD void operator()(Bits<T>& x) { word[words++] = x; }
  template <class X> VOLARY_HD void operator()(const Field&, X& x) { each_scalar(x, *this); }
};
template <class T> struct Chooser {
  Mask<T> keep;  // where the struct keeps its own
  const Gathered<T>& other;
  int values = 0, words = 0;
  VOLARY_HD void operator()(T& x) { x = select(keep, x, other.value[values++]); }
  VOLARY_HD void operator()(Bits<T>& x) { x = select(keep, x, other.word[words++]); }
  template <class X> VOLARY_HD void operator()(const Field&, X& x) { each_scalar(x, *this); }
};
// `now` where the mask holds, `last` elsewhere
template <class T, class R> VOLARY_HD R choose(Mask<T> m, R now, R last) {
  Gathered<T> line;
  R::fields(last, line);
  Chooser<T> chooser{m, line};
  R::fields(now, chooser);
  return now;
}

// whether a reading arrives at all: neither its sensor nor a fault loses it
template <class T> VOLARY_HD Mask<T> is_delivered(Purpose purpose, T drop_out, const FaultTerms<T>& fault, const Draws<T>& draws) {
  const T never = splat<T>(0);
  if (!any((drop_out > never) | (fault.drop > never))) return never == never;
  const Words4<Bits<T>> w = draws.who.draw(Purpose::FaultDrop, draws.tick, static_cast<std::uint32_t>(purpose));
  return !((environment::uniform<T>(w.w[0]) < drop_out) | (environment::uniform<T>(w.w[1]) < fault.drop));
}

// A reading as it goes out: with its tick where it is valid; else the last one goes on, marked as not valid. A sensor that a fault holds repeats its last
// reading as if it were new.
template <class T, class R> VOLARY_HD R deliver(R now, const R& last, Mask<T> valid, const FaultTerms<T>& fault, const Draws<T>& draws) {
  const Mask<T> held = fault.hold > splat<T>(0);
  const Bits<T> bits = now.valid;
  R out = choose<T>(valid & !held, now, last);
  out.valid = select(valid, select(held, last.valid, bits), bit_constant<T>(0, 0));
  out.tick = select(valid, tick_word<T>(draws.tick), last.tick);
  return out;
}

// the reading before the first one: zeros, and not valid
template <class T> struct Blanker {
  VOLARY_HD void operator()(T& x) { x = splat<T>(0); }
  VOLARY_HD void operator()(Bits<T>& x) { x = bit_constant<T>(0, 0); }
  template <class X> VOLARY_HD void operator()(const Field&, X& x) { each_scalar(x, *this); }
};
template <class X, class T> VOLARY_HD typename X::template Reading<T> blank_reading() {
  typename X::template Reading<T> r;
  Blanker<T> blanker;
  X::template Reading<T>::fields(r, blanker);
  return r;
}

// the value of a parameter that is the same for all lanes
template <class T> VOLARY_HD Scalar<T> first_lane(T x) {
  Scalar<T> lanes[kLanes<T>];
  store(lanes, x);
  return lanes[0];
}

}  // namespace volary::inline VOLARY_ISA::sensors
