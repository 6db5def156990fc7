// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The one list of behaviours. Loading by name, schema, documentation and forms all come from it.
#pragma once

#include "core/type_list.hpp"
#include "swarm/behaviours/aggregation.hpp"
#include "swarm/behaviours/announce.hpp"
#include "swarm/behaviours/auction.hpp"
#include "swarm/behaviours/avoid.hpp"
#include "swarm/behaviours/delivery.hpp"
#include "swarm/behaviours/dispersion.hpp"
#include "swarm/behaviours/dock.hpp"
#include "swarm/behaviours/follow_path.hpp"
#include "swarm/behaviours/formation.hpp"
#include "swarm/behaviours/go_to.hpp"
#include "swarm/behaviours/hold.hpp"
#include "swarm/behaviours/land.hpp"
#include "swarm/behaviours/lawnmower.hpp"
#include "swarm/behaviours/leader_follower.hpp"
#include "swarm/behaviours/olfati_saber.hpp"
#include "swarm/behaviours/particle_swarm.hpp"
#include "swarm/behaviours/patrol.hpp"
#include "swarm/behaviours/pheromone.hpp"
#include "swarm/behaviours/potential_field.hpp"
#include "swarm/behaviours/relay_chain.hpp"
#include "swarm/behaviours/response_threshold.hpp"
#include "swarm/behaviours/return_home.hpp"
#include "swarm/behaviours/reynolds.hpp"
#include "swarm/behaviours/take_off.hpp"
#include "swarm/behaviours/track_target.hpp"
#include "swarm/behaviours/vasarhelyi.hpp"
#include "swarm/behaviours/vicsek.hpp"
#include "swarm/behaviours/virtual_structure.hpp"
#include "swarm/behaviours/voronoi.hpp"
#include "swarm/behaviours/wing_formation.hpp"

namespace volary::swarm {

using AllBehaviours = core::TypeList<  //
    Aggregation,                       //
    Announce,                          //
    Auction,                           //
    Avoid,                             //
    Delivery,                          //
    Dispersion,                        //
    Dock,                              //
    FollowPath,                        //
    Formation,                         //
    GoTo,                              //
    Hold,                              //
    Land,                              //
    Lawnmower,                         //
    LeaderFollower,                    //
    OlfatiSaber,                       //
    ParticleSwarm,                     //
    Patrol,                            //
    Pheromone,                         //
    PotentialField,                    //
    RelayChain,                        //
    ResponseThreshold,                 //
    ReturnHome,                        //
    Reynolds,                          //
    TakeOff,                           //
    TrackTarget,                       //
    Vasarhelyi,                        //
    Vicsek,                            //
    VirtualStructure,                  //
    Voronoi,                           //
    WingFormation>;

}  // namespace volary::swarm
