// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The one loop in which worlds fly. A tick is: every source gives its inputs, the world steps, every sink sees events and tick.
//
//   Runner runner(clock);
//   runner.add(source), runner.add(sink);      // both must outlive the run
//   runner.begin(world, {.end = planned_ticks(world.def()), .speed = 1});
//   runner.run();                              // until it is over
//
// run() blocks. Whoever has a loop of his own, as a server has, calls turn() instead, which flies one tick or says how long
// there is nothing to do. A runner belongs to one thread; Clock::wake() alone may come from others.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "runner/clock.hpp"
#include "runner/pace.hpp"
#include "runner/sink.hpp"
#include "runner/source.hpp"
#include "volary/world.hpp"

namespace volary::runner {

struct Plan {
  std::uint64_t end = 0;                       // the tick at which the run is finished
  double speed = 0;                            // simulated seconds per second; 0: as fast as it goes
  bool paused = false;
  std::function<bool()> is_interrupted = {};   // asked before every tick and now and then while waiting
  std::function<core::Status(World&)> fly = {};  // flies one tick; none: the world steps by itself
};

enum class State { Running, Paused, Over };
enum class Outcome { None, Finished, Interrupted, Failed };  // None: not over yet

class Runner {
 public:
  static constexpr double kForever = std::numeric_limits<double>::infinity();

  explicit Runner(Clock& clock) : clock_(clock) {}
  Runner(const Runner&) = delete;
  Runner& operator=(const Runner&) = delete;

  void add(Source& source) { seats_.push_back({&source}); }
  void add(Sink& sink) { sinks_.push_back(&sink); }

  // a run before it is ended first
  void begin(World& world, Plan plan, bool again = false);
  // Flies the next tick when it is due and everybody is ready. The seconds until another call makes sense: 0 after a tick,
  // kForever while the run is paused or over.
  double turn();
  // turns, and sleeps between them, until the run is over
  Outcome run();
  void end() { finish(Outcome::Interrupted); }  // now, if it is not over

  // between two turns; nothing happens when the run is over
  void pause();
  void resume();
  void step(std::uint64_t ticks);  // pauses, and flies so many at once; adds up
  void set_speed(double factor);
  // Puts the world to another moment; sources and sinks learn of it. A run that is over stays so.
  core::Status restore(const Snapshot& snapshot);

  State state() const { return state_; }
  Outcome outcome() const { return outcome_; }
  const std::string& failure() const { return failure_; }  // why it failed
  std::uint64_t end_tick() const { return plan_.end; }
  double speed() const { return plan_.speed; }
  std::uint64_t steps_left() const { return steps_left_; }
  std::uint64_t ticks() const { return ticks_; }     // flown since begin()
  std::vector<std::string> waiting_for() const;      // names of the sources that hold the run now
  double elapsed() const { return pace_ ? pace_->elapsed() : 0; }  // s of the wall since begin()
  double real_time_factor() const { return pace_ ? pace_->real_time_factor() : 0; }
  std::uint64_t overruns() const { return pace_ ? pace_->overruns() : 0; }

 private:
  struct Seat {
    Source* source = nullptr;
    bool ready = false;   // for this tick
    bool named = false;   // people know that the run waits for it
    bool absent = false;  // the run has gone on without it
  };
  bool wants_tick() const { return state_ == State::Running || (state_ == State::Paused && steps_left_ > 0); }
  void ask();
  bool look();          // who is ready; true: all
  double hold();        // somebody is not: seconds to the next look, 0: the tick can be flown without them
  bool take_inputs();   // false: a source failed
  void fly_tick();
  void change_pace() { is_pace_new_ = true, due_ = 0; }
  void forget_tick();   // what was asked for it
  void tell(const std::string& text);
  void fail(std::string why);
  void finish(Outcome outcome);

  Clock& clock_;
  std::vector<Seat> seats_;
  std::vector<Sink*> sinks_;
  World* world_ = nullptr;
  Plan plan_;
  State state_ = State::Over;
  Outcome outcome_ = Outcome::None;
  std::string failure_;
  std::optional<Pace> pace_;
  bool is_pace_new_ = true;  // it starts with the next tick
  double due_ = 0;           // s of the wall: the next tick; 0: at once
  std::uint64_t steps_left_ = 0, ticks_ = 0;
  bool is_asked_ = false;
  std::optional<double> held_since_;  // s of the wall
  std::vector<Input> inputs_;
};

}  // namespace volary::runner
