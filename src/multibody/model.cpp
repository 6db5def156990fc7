// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "multibody/model.hpp"

#include <utility>

#include "multibody/compiled.hpp"

namespace volary::multibody {

Compiled::Compiled(SceneDef def, std::shared_ptr<const Library> loaded, Owned<mjModel> made)
    : Model(std::move(def)), library(std::move(loaded)), model(std::move(made)) {
  const auto id = [&](mjtObj type, char kind, std::size_t number) { return library->mj_name2id(model.get(), type, internal_name(kind, number).c_str()); };
  numbers = static_cast<std::size_t>(library->mj_stateSize(model.get(), kState));
  motion_numbers = static_cast<std::size_t>(library->mj_stateSize(model.get(), kMotion));
  geom_of.assign(static_cast<std::size_t>(model->ngeom), kWorld);
  const auto add_geom = [&](const GeomDef& g) {
    geom_of[static_cast<std::size_t>(id(mjOBJ_GEOM, 'g', group_of.size()))] = group_of.size();
    group_of.push_back(find_group(scene(), g.group).value_or(kWorld));
  };
  for (std::size_t i = 0; i < scene().bodies.size(); ++i) {
    const BodyDef& b = scene().bodies[i];
    bodies.push_back(id(mjOBJ_BODY, 'b', i)), joints.push_back(id(mjOBJ_JOINT, 'j', i));
    for (const GeomDef& g : b.geoms) add_geom(g);
    for (const SiteDef& s : b.sites) {
      const std::size_t number = sites.size();
      const int command = id(mjOBJ_ACTUATOR, 'm', 6 * number + (s.drive == Drive::Thrust ? 2 : 0));
      sites.push_back({id(mjOBJ_SITE, 's', number), bodies.back(), s.drive, command});
    }
  }
  for (const GeomDef& g : scene().statics) add_geom(g);
  for (std::size_t k = 0; k < scene().welds.size(); ++k) welds.push_back(id(mjOBJ_EQUALITY, 'w', k));
  for (std::size_t k = 0; k < scene().cables.size(); ++k) {
    const CableDef& c = scene().cables[k];
    cables.push_back({id(mjOBJ_TENDON, 'c', k), {*find_site(scene(), c.sites[0]), *find_site(scene(), c.sites[1])}});
  }
}

core::Result<std::shared_ptr<const Model>> make_model(const SceneDef& scene, std::shared_ptr<const Library> library) {
  if (const core::Status s = check(scene); !s) return s.error();
  auto made = compile(scene, library);
  if (!made) return made.error();
  return std::shared_ptr<const Model>(std::make_shared<Compiled>(scene, std::move(library), std::move(made).value()));
}

core::Result<std::shared_ptr<const Model>> make_model(const SceneDef& scene) {
  // a scene that cannot be is refused before anything is loaded
  if (const core::Status s = check(scene); !s) return s.error();
  auto loaded = library();
  if (!loaded) return loaded.error();
  return make_model(scene, std::move(loaded).value());
}

}  // namespace volary::multibody
