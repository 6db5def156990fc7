// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A scene written into MuJoCo's own structs (mjSpec) and compiled: numbers go over as they are, without a text between. What MuJoCo would guess, repair or leave
// to defaults of the version is set here.
#include <algorithm>
#include <string>

#include "multibody/compiled.hpp"
#include "multibody/trap.hpp"

namespace volary::multibody {

namespace {

constexpr int kNormal = 1, kSliding = 3, kSpinning = 4, kRolling = 6;  // directions in which a contact acts

void put(const Vec& v, double (&to)[3]) { to[0] = v.x, to[1] = v.y, to[2] = v.z; }
void put(const Pose& p, double (&position)[3], double (&rotation)[4]) {
  put(p.position, position);
  rotation[0] = p.rotation.w, rotation[1] = p.rotation.x, rotation[2] = p.rotation.y, rotation[3] = p.rotation.z;
}

mjtGeom shape_of(Shape s) {
  switch (s) {
    case Shape::Box: return mjGEOM_BOX;
    case Shape::Cylinder: return mjGEOM_CYLINDER;
    case Shape::Capsule: return mjGEOM_CAPSULE;
    case Shape::Sphere: return mjGEOM_SPHERE;
    case Shape::Plane: return mjGEOM_PLANE;
  }
  return mjGEOM_BOX;
}
mjtJoint joint_of(JointKind k) {
  switch (k) {
    case JointKind::Ball: return mjJNT_BALL;
    case JointKind::Hinge: return mjJNT_HINGE;
    case JointKind::Slide: return mjJNT_SLIDE;
    default: return mjJNT_FREE;
  }
}
int integrator_of(Integrator i) {
  switch (i) {
    case Integrator::Implicit: return mjINT_IMPLICITFAST;
    case Integrator::RungeKutta4: return mjINT_RK4;
    default: return mjINT_EULER;
  }
}

class Writer {
 public:
  Writer(const SceneDef& scene, const Library& library, mjSpec* spec) : scene_(scene), l_(library), spec_(spec) {}

  void write() {
    compiler();
    options();
    masks();
    mjsBody* const world = l_.mjs_findBody(spec_, "world");
    std::vector<mjsBody*> made(scene_.bodies.size(), nullptr);
    // a child can be written after its parent only
    for (std::size_t left = made.size(); left > 0;)
      for (std::size_t i = 0; i < made.size(); ++i) {
        const BodyDef& b = scene_.bodies[i];
        mjsBody* const parent = b.parent.empty() ? world : made[*find_body(scene_, b.parent)];
        if (made[i] == nullptr && parent != nullptr) made[i] = body(parent, b, i), --left;
      }
    std::size_t geom_number = 0;
    for (std::size_t i = 0; i < made.size(); ++i)
      for (const GeomDef& g : scene_.bodies[i].geoms) geom(made[i], g, geom_number++);
    for (const GeomDef& g : scene_.statics) geom(world, g, geom_number++);
    std::size_t site_number = 0;
    for (std::size_t i = 0; i < made.size(); ++i)
      for (const SiteDef& s : scene_.bodies[i].sites) site(made[i], s, site_number++);
    for (std::size_t k = 0; k < scene_.welds.size(); ++k) weld(scene_.welds[k], k);
    for (std::size_t k = 0; k < scene_.cables.size(); ++k) cable(scene_.cables[k], k);
  }

 private:
  void compiler() {
    mjsCompiler& c = spec_->compiler;
    c.autolimits = c.balanceinertia = c.degree = c.discardvisual = c.usethread = c.fusestatic = c.alignfree = 0;
    c.boundmass = c.boundinertia = 0, c.settotalmass = -1;
    c.inertiafromgeom = mjINERTIAFROMGEOM_FALSE;
  }

  void options() {
    const OptionsDef& o = scene_.options;
    mjOption& to = spec_->option;
    to.timestep = o.time_step, to.integrator = integrator_of(o.integrator);
    put(o.gravity, to.gravity);
    to.impratio = o.friction_stiffness, to.cone = mjCONE_ELLIPTIC;
    to.solver = mjSOL_NEWTON, to.tolerance = o.tolerance, to.iterations = o.iterations;
    to.jacobian = mjJAC_DENSE;
    // numbers that go bad are an error here, not a new start
    to.disableflags = mjDSBL_AUTORESET | mjDSBL_SENSOR | mjDSBL_ISLAND;
    to.enableflags = 0;
    spec_->memory = static_cast<mjtSize>(o.memory);
  }

  // a bit per group, and for each group the bits of those that it touches
  void masks() {
    touched_.assign(scene_.groups.size(), 0);
    for (const auto& [a, b] : scene_.touching) {
      const std::size_t first = *find_group(scene_, a), second = *find_group(scene_, b);
      touched_[first] |= 1 << second, touched_[second] |= 1 << first;
    }
  }

  void name(mjsElement* element, char kind, std::size_t number) { l_.mjs_setName(element, internal_name(kind, number).c_str()); }

  mjsBody* body(mjsBody* parent, const BodyDef& b, std::size_t number) {
    mjsBody* const to = l_.mjs_addBody(parent, nullptr);
    name(to->element, 'b', number);
    put(b.pose, to->pos, to->quat);
    to->mass = b.mass, to->explicitinertial = 1;
    put(b.centre_of_mass, to->ipos);
    inertia(to, b);
    if (b.joint.kind != JointKind::Fixed) joint(to, b.joint, number);
    return to;
  }

  // along the axes of the body, unless there are products: MuJoCo then looks for principal axes
  static void inertia(mjsBody* to, const BodyDef& b) {
    const Vec &d = b.moments, &p = b.products;
    if (p.x == 0 && p.y == 0 && p.z == 0) return put(d, to->inertia);
    // its check knows no slack: the rounded principal moments of a flat body may miss the triangle inequality by one bit
    const double more = 1e-12 * (d.x + d.y + d.z);
    const double full[6] = {d.x + more, d.y + more, d.z + more, p.x, p.y, p.z};
    std::copy(std::begin(full), std::end(full), to->fullinertia);
  }

  void joint(mjsBody* body, const JointDef& j, std::size_t number) {
    mjsJoint* const to = l_.mjs_addJoint(body, nullptr);
    name(to->element, 'j', number);
    to->type = joint_of(j.kind);
    to->align = mjALIGNFREE_FALSE;
    to->limited = j.is_limited ? mjLIMITED_TRUE : mjLIMITED_FALSE;
    to->range[0] = j.kind == JointKind::Ball ? 0 : j.lower, to->range[1] = j.upper;
    to->damping[0] = j.damping, to->frictionloss = j.friction_loss, to->stiffness[0] = j.stiffness;
    if (j.kind == JointKind::Free) return;
    put(j.anchor, to->pos);
    put(j.axis, to->axis);
  }

  void geom(mjsBody* body, const GeomDef& g, std::size_t number) {
    mjsGeom* const to = l_.mjs_addGeom(body, nullptr);
    name(to->element, 'g', number);
    to->type = shape_of(g.shape);
    put(g.pose, to->pos, to->quat);
    put(g.size, to->size);
    if (g.shape == Shape::Plane) put(Vec{1, 1, 1}, to->size);  // of its picture
    to->contype = to->conaffinity = 0;
    if (!g.group.empty()) {
      const std::size_t group = *find_group(scene_, g.group);
      to->contype = 1 << group, to->conaffinity = touched_[group];
    }
    surface(to, g.surface);
  }

  static void surface(mjsGeom* to, const SurfaceDef& s) {
    to->friction[0] = s.friction, to->friction[1] = s.spin_friction, to->friction[2] = s.roll_friction;
    to->condim = s.roll_friction > 0 ? kRolling : s.spin_friction > 0 ? kSpinning : s.friction > 0 ? kSliding : kNormal;
    to->solref[0] = s.stiffness > 0 ? -s.stiffness : s.time_constant;
    to->solref[1] = s.stiffness > 0 ? -s.damping : s.damping_ratio;
    const double impedance[mjNIMP] = {s.least_impedance, s.greatest_impedance, s.width, 0.5, 2};
    std::copy(std::begin(impedance), std::end(impedance), to->solimp);
    to->margin = s.margin, to->gap = 0, to->priority = s.priority;
  }

  void site(mjsBody* body, const SiteDef& s, std::size_t number) {
    mjsSite* const to = l_.mjs_addSite(body, nullptr);
    name(to->element, 's', number);
    put(s.pose, to->pos, to->quat);
    if (s.drive == Drive::None) return;
    // force and torque along the axes of the site, in the order of its command
    for (int axis = s.drive == Drive::Thrust ? 2 : 0; axis < 6; axis += s.drive == Drive::Thrust ? 3 : 1) {
      mjsActuator* const motor = l_.mjs_addActuator(spec_, nullptr);
      name(motor->element, 'm', 6 * number + static_cast<std::size_t>(axis));
      l_.mjs_setToMotor(motor);
      motor->trntype = mjTRN_SITE;
      l_.mjs_setString(motor->target, internal_name('s', number).c_str());
      std::fill(std::begin(motor->gear), std::end(motor->gear), 0.0);
      motor->gear[axis] = 1;
      motor->ctrllimited = motor->forcelimited = motor->actlimited = mjLIMITED_FALSE;
    }
  }

  void weld(const WeldDef& w, std::size_t number) {
    mjsEquality* const to = l_.mjs_addEquality(spec_, nullptr);
    name(to->element, 'w', number);
    to->type = mjEQ_WELD, to->objtype = mjOBJ_SITE;
    to->active = w.is_closed;
    l_.mjs_setString(to->name1, internal_name('s', *find_site(scene_, w.sites[0])).c_str());
    l_.mjs_setString(to->name2, internal_name('s', *find_site(scene_, w.sites[1])).c_str());
    to->solref[0] = w.time_constant, to->solref[1] = 1;
  }

  // a limit of its length, which acts one way only
  void cable(const CableDef& c, std::size_t number) {
    mjsTendon* const to = l_.mjs_addTendon(spec_, nullptr);
    name(to->element, 'c', number);
    for (const std::string& site : c.sites) l_.mjs_wrapSite(to, internal_name('s', *find_site(scene_, site)).c_str());
    to->limited = mjLIMITED_TRUE, to->actfrclimited = mjLIMITED_FALSE;
    to->range[0] = 0, to->range[1] = c.length;
    to->solref_limit[0] = c.time_constant, to->solref_limit[1] = 1;
    const double impedance[mjNIMP] = {0.9, 0.95, 0.001, 0.5, 2};
    std::copy(std::begin(impedance), std::end(impedance), to->solimp_limit);
  }

  const SceneDef& scene_;
  const Library& l_;
  mjSpec* const spec_;
  std::vector<int> touched_;
};

}  // namespace

std::string internal_name(char kind, std::size_t number) { return kind + std::to_string(number); }

core::Result<Owned<mjModel>> compile(const SceneDef& scene, const std::shared_ptr<const Library>& library) {
  const Owned<mjSpec> spec(library->mj_makeSpec(), Delete{library});
  Writer(scene, *library, spec.get()).write();
  mjModel* made = nullptr;
  if (const core::Status s = guarded(*library, [&] { made = library->mj_compile(spec.get(), nullptr); }); !s) return s.error();
  if (made == nullptr) return core::Error{.message = std::string("MuJoCo refuses the scene: ") + library->mjs_getError(spec.get())};
  return Owned<mjModel>(made, Delete{library});
}

}  // namespace volary::multibody
