// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Who is shown a run: a recorder, a server, a log, a progress line. Called on the runner's thread, in the order in which the
// sinks were added; a sink changes nothing that decides the future of the world.
#pragma once

#include <string>

#include "volary/world.hpp"

namespace volary::runner {

class Sink {
 public:
  virtual ~Sink() = default;
  virtual void begin(World&, bool /*again*/) {}  // before the first tick; again: a reset, the definition is that of the run before
  virtual void event(World&, const Event&) {}    // after the tick in which it happened, before after_tick
  virtual void after_tick(World&) {}
  virtual void restored(World&) {}                  // the world was put to another moment, as a rule an earlier one: world.tick()
  virtual void notice(World&, const std::string&) {}  // a message of the runner to users: which source it waits for, and which one has timed out
  virtual void end(World&) {}                       // finished, interrupted, failed or replaced; once
};

}  // namespace volary::runner
