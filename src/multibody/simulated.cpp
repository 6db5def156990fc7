// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "multibody/simulated.hpp"

#include <fmt/format.h>

#include "core/check.hpp"
#include "multibody/trap.hpp"

namespace volary::multibody {

Simulated::Simulated(std::shared_ptr<const Compiled> compiled, Owned<mjData> data)
    : c_(std::move(compiled)), l_(*c_->library), m_(c_->model.get()), d_(std::move(data)), before_(c_->numbers) {
  refresh();
}

core::Result<std::unique_ptr<Instance>> Compiled::make_instance() const {
  mjData* made = nullptr;
  if (const core::Status s = guarded(*library, [&] { made = library->mj_makeData(model.get()); }); !s) return s.error();
  if (made == nullptr) return core::Error{.message = "there is no memory for another instance of a scene"};
  return std::unique_ptr<Instance>(std::make_unique<Simulated>(shared_from_this(), Owned<mjData>(made, Delete{library})));
}

void Simulated::command(std::size_t site, double thrust, double torque) {
  const Compiled::Site& s = c_->sites[site];
  core::check(s.drive == Drive::Thrust);
  d_->ctrl[s.command] = thrust, d_->ctrl[s.command + 1] = torque;
}

void Simulated::command(std::size_t site, const Wrench& w) {
  const Compiled::Site& s = c_->sites[site];
  core::check(s.drive == Drive::Wrench);
  double* const to = d_->ctrl + s.command;
  to[0] = w.force.x, to[1] = w.force.y, to[2] = w.force.z, to[3] = w.torque.x, to[4] = w.torque.y, to[5] = w.torque.z;
}

void Simulated::close(std::size_t weld, bool is_closed) { d_->eq_active[c_->welds[weld]] = is_closed; }
bool Simulated::is_closed(std::size_t weld) const { return d_->eq_active[c_->welds[weld]] != 0; }

void Simulated::refresh() {
  l_.mj_kinematics(m_, d_.get());
  l_.mj_comPos(m_, d_.get());
  l_.mj_comVel(m_, d_.get());
}

core::Error Simulated::out_of_memory() const {
  const std::size_t had = c_->scene().options.memory;
  return {.message = fmt::format("{} bytes do not suffice for the bodies and contacts of this scene", had),
          .field = "options.memory",
          .suggestion = fmt::format("{} bytes or more", 2 * had)};
}

core::Status Simulated::judge() const {
  const auto raised = [&](mjtWarning w) { return d_->warning[w].number > 0; };
  if (raised(mjWARN_CONTACTFULL) || raised(mjWARN_CNSTRFULL)) return out_of_memory();
  const double began = before_.front();  // of kState the time comes first
  if (raised(mjWARN_BADCTRL)) return core::Error{.message = fmt::format("a command at {:.6g} s is not a number, or beyond all bounds", began)};
  for (const mjtWarning w : {mjWARN_INERTIA, mjWARN_BADQPOS, mjWARN_BADQVEL, mjWARN_BADQACC})
    if (raised(w))
      return core::Error{.message = fmt::format("the motion after {:.6g} s has no numbers, or such beyond all bounds", began),
                         .suggestion = "a shorter time step, or softer contacts"};
  return core::ok();
}

core::Status Simulated::step(int substeps) {
  core::check(substeps > 0);
  core::Status s = guarded(l_, [&] {
    for (int k = 0; k < substeps && !has_warned(); ++k) {
      l_.mj_getState(m_, d_.get(), before_.data(), kState);
      l_.mj_step(m_, d_.get());
    }
    refresh();
  });
  if (!s && s.error().message.find("memory") != std::string::npos) s = out_of_memory();
  if (s) s = judge();
  has_stepped_ = static_cast<bool>(s);
  if (s) return s;
  // what MuJoCo was doing when it stopped is thrown away; the state before it is whole
  l_.mj_resetData(m_, d_.get());
  l_.mj_setState(m_, d_.get(), before_.data(), kState);
  refresh();
  return s;
}

bool Simulated::has_warned() const {
  for (const mjWarningStat& w : d_->warning)
    if (w.number > 0) return true;
  return false;
}

}  // namespace volary::multibody
