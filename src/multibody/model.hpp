// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A scene as MuJoCo flies it: one constant Model per scene, shared by any number of Instances, each with a state of its own. An instance is used by one thread at
// a time; two of them never influence each other. Whoever uses them sees no header of MuJoCo.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "multibody/library.hpp"
#include "multibody/scene.hpp"

namespace volary::multibody {

// of a frame of a body, all in world axes
struct Motion {
  Vec position_W{0, 0, 0};  // m, of the origin of the frame
  Quat q_WB{1, 0, 0, 0};
  Vec velocity_W{0, 0, 0};  // m/s, of that origin
  Vec omega_W{0, 0, 0};     // rad/s
};

struct Wrench {
  Vec force{0, 0, 0}, torque{0, 0, 0};  // N, N m
};

// two shapes that touch, by their numbers in the scene (scene.hpp)
struct Contact {
  std::size_t a = 0, b = 0;
  double distance = 0;     // m, below zero where they overlap
  Vec point_W{0, 0, 0};    // m
  Vec normal_W{0, 0, 0};   // from a to b
  Vec force_W{0, 0, 0};    // N, of a on b
};

// What moves. Poses and velocities are those of now; contacts, their forces, wrenches and tensions are those that acted during the last substep. There are none before the
// first step, and none after the motion was set from outside.
class Instance {
 public:
  virtual ~Instance() = default;

  // held until the next command of the site; zero at first. The drive of the site says which of the two it takes.
  virtual void command(std::size_t site, double thrust, double torque) = 0;
  virtual void command(std::size_t site, const Wrench& wrench_S) = 0;
  // a latch; its two sites are pulled together from where they are
  virtual void close(std::size_t weld, bool is_closed) = 0;
  virtual bool is_closed(std::size_t weld) const = 0;

  // An error says that numbers went bad or that memory did not suffice; the instance then has the state before the substep that failed.
  virtual core::Status step(int substeps) = 0;
  virtual double time() const = 0;  // s

  virtual Motion motion(std::size_t body) const = 0;
  virtual Motion site_motion(std::size_t site) const = 0;
  // of the joint between a body and its parent: a hinge or slide; a ball
  virtual double joint_value(std::size_t body) const = 0;  // rad or m
  virtual double joint_rate(std::size_t body) const = 0;   // rad/s or m/s
  virtual Quat joint_rotation(std::size_t body) const = 0;

  // of all groups
  virtual std::size_t n_contacts() const = 0;
  // contacts between shapes of two groups, or of one group, in MuJoCo's order, with `a` of the first group
  virtual void contacts(std::size_t group_a, std::size_t group_b, std::vector<Contact>& found) const = 0;
  // what contacts do to the body of a site, about the site and in its axes
  virtual Wrench contact_wrench(std::size_t site) const = 0;
  // of a cable: its pull during the last substep, 0 where it was slack, and how far its ends are apart
  virtual double tension(std::size_t cable) const = 0;  // N
  virtual double span(std::size_t cable) const = 0;     // m

  // Set the motion of a free body, of the child of a ball joint (rotation and angular velocity only), of a hinge or slide; parents before their children.
  // Other joints keep theirs. What the solver of contacts remembers is forgotten.
  virtual void place(std::size_t body, const Motion& motion) = 0;
  virtual void place_joint(std::size_t body, double value, double rate) = 0;
  // as it was made
  virtual void reset() = 0;

  // All that the future depends on, and what contacts are read from: Model::state_size() numbers. Exact to the last bit, also in contact.
  virtual void save(std::span<double> state) const = 0;
  virtual core::Status restore(std::span<const double> state) = 0;
  virtual std::uint64_t hash() const = 0;  // of all that the future depends on

  // Positions, velocities and what the solver of contacts begins with: all that the future depends on beside commands and latches, which stay as they are.
  // Model::motion_size() numbers, exact to the last bit, also in contact. After restore_motion() there are no contacts until the next step.
  virtual void save_motion(std::span<double> motion) const = 0;
  virtual void restore_motion(std::span<const double> motion) = 0;

  virtual std::size_t used_memory() const = 0;  // bytes, the most so far of options.memory
};

class Model {
 public:
  virtual ~Model() = default;
  const SceneDef& scene() const { return scene_; }
  virtual std::size_t state_size() const = 0;
  virtual std::size_t motion_size() const = 0;
  virtual core::Result<std::unique_ptr<Instance>> make_instance() const = 0;  // it keeps the model

 protected:
  explicit Model(SceneDef scene) : scene_(std::move(scene)) {}

 private:
  SceneDef scene_;
};

// Checks the scene; loads MuJoCo when it is the first one (library.hpp).
core::Result<std::shared_ptr<const Model>> make_model(const SceneDef& scene);
core::Result<std::shared_ptr<const Model>> make_model(const SceneDef& scene, std::shared_ptr<const Library> library);

}  // namespace volary::multibody
