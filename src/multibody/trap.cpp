// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "multibody/trap.hpp"

#include <csetjmp>
#include <cstdio>

namespace volary::multibody {

namespace {

struct Trap {
  std::jmp_buf place;
  char error[2048];  // a subject has up to 1023
};
thread_local Trap* t_trap = nullptr;

void handle(const mjLogMessage* message) {
  if (message->level != mjLOG_ERROR) return;
  std::snprintf(t_trap->error, sizeof t_trap->error, "%s%s%s", message->subject, message->body != nullptr ? ": " : "",
                message->body != nullptr ? message->body : "");
  std::longjmp(t_trap->place, 1);
}

}  // namespace

core::Status guarded(const Library& library, void (*work)(void*), void* argument) {
  Trap trap;
  trap.error[0] = '\0';
  Trap* const outer = t_trap;
  const mjfLogHandler before = library.set_thread_handler(handle);
  t_trap = &trap;
  const bool failed = setjmp(trap.place) != 0;
  if (!failed) work(argument);
  t_trap = outer;
  library.set_thread_handler(before);
  if (failed) return core::Error{.message = std::string("MuJoCo: ") + trap.error};
  return core::ok();
}

}  // namespace volary::multibody
