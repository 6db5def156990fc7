// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Who gives the inputs of a tick: a person at a page, a recording, an autopilot, another process, a program. For every tick
// the runner asks it once, looks until it is ready, and takes its inputs just before the step; so what it gives depends on
// the world of the tick before and on nothing later. All of it happens on the runner's thread. A source with threads of its
// own calls Clock::wake() when it has become ready: the runner sleeps while it waits. Whoever also wants to see the ticks is
// a Sink, too.
#pragma once

#include <string>
#include <vector>

#include "core/result.hpp"
#include "volary/world.hpp"

namespace volary::runner {

// How long a run waits for a source that is not ready, in seconds of the wall.
struct Patience {
  double named_after = 1;  // then people are told whom the run waits for
  double timeout = 10;
  enum class Then { Fail, GoOn } then = Then::Fail;  // GoOn: the run flies without it until it is ready again
};

class Source {
 public:
  virtual ~Source() = default;
  virtual std::string name() const = 0;  // as people are told it
  virtual Patience patience() const { return {}; }

  virtual void start(const World&) {}
  // Once for every tick, as soon as the tick before is done: `world` is as that left it.
  virtual void ask(const World&) {}
  virtual bool is_ready(const World&) { return true; }
  // The inputs of this tick, in order; not called for a tick that is flown without it. An error ends the run.
  virtual core::Status give(const World& world, std::vector<Input>& inputs) = 0;
  // What becomes of an input whose tick has passed, and one that the world does not take: people learn of it by an event. An error ends the run.
  virtual Late late() const { return Late::Move; }
  virtual core::Status refused(const Input&, const std::string& /*why*/) { return core::ok(); }
  // The world was put to another moment: what was asked and not yet given is void, and ask() comes again.
  virtual void reset(const World&) {}
  virtual void stop(const World&) {}
};

}  // namespace volary::runner
