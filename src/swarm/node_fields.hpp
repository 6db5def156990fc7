// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The fields of nodes and radio: described here once, for files, for forms, and for what is changed in the middle of a run.
#pragma once

#include <span>
#include <type_traits>

#include "core/describe.hpp"
#include "volary/def.hpp"

namespace volary {

std::span<const char* const> names(ContactPolicy);
std::span<const char* const> names(RadioModel);
std::span<const char* const> names(Fading);
std::span<const char* const> names(MediumAccess);

template <class D, class V> requires std::is_same_v<std::remove_const_t<D>, DetectionDef>
void describe(D& d, V& v) {
  v.field("range", d.range, {.unit = "m", .min = 0, .max = 1e5, .doc = "of its eyes; 0: it sees nobody"});
  v.field("field_of_view", d.field_of_view, {.unit = "rad", .min = 0.01, .max = 6.283185307179587, .doc = "the whole angle about the nose"});
  v.field("rate", d.rate, {.unit = "Hz", .min = 1e-3, .max = 1e4, .doc = "how often it looks"});
  v.field("line_of_sight", d.line_of_sight, {.doc = "terrain and obstacles hide what is behind them"});
}
template <class D, class V> requires std::is_same_v<std::remove_const_t<D>, ContactDef>
void describe(D& d, V& v) {
  v.field("policy", d.policy, {.doc = "what a hard touch does: ignore, crash (motors off), remove, bounce"});
  v.field("radius", d.radius, {.unit = "m", .min = 0, .max = 1e3, .doc = "of the sphere about the vehicle; 0: as large as its airframe"});
  v.field("speed", d.speed, {.unit = "m/s", .min = 0, .max = 1e3, .doc = "a softer touch does no harm"});
}
template <class D, class V> requires std::is_same_v<std::remove_const_t<D>, EstimateDef>
void describe(D& d, V& v) {
  v.field("position_noise", d.position_noise, {.unit = "m", .min = 0, .max = 1e3, .doc = "standard deviation of what it believes, on each axis"});
  v.field("velocity_noise", d.velocity_noise, {.unit = "m/s", .min = 0, .max = 1e3, .doc = "the same of its velocity"});
}
template <class D, class V> requires std::is_same_v<std::remove_const_t<D>, NodeDef>
void describe(D& d, V& v) {
  v.field("decision_rate", d.decision_rate, {.unit = "Hz", .min = 1e-3, .max = 1e4, .doc = "how often it decides; vehicles take turns by id"});
  v.field("cooperation", d.cooperation, {.min = -1e3, .max = 1e3, .doc = "eta: how much it matters to do as the others do"});
  v.field("state_rate", d.state_rate, {.unit = "Hz", .min = 0, .max = 1e4, .doc = "how often it tells the others where it is; 0: never"});
  v.field("memory", d.memory, {.min = 0, .max = 1024, .doc = "how many others it remembers: the nearest ones"});
  v.field("forget", d.forget, {.unit = "s", .min = 0, .max = 1e6, .doc = "after which it forgets one it no longer hears"});
  v.field("receives", d.receives, {.doc = "false: a passive object that speaks and never hears"});
  v.field("radio_power", d.radio_power, {.unit = "dBm", .min = -100, .max = 60, .doc = "of its transmitter"});
  v.field("radio_channel", d.radio_channel, {.min = 0, .max = 255, .doc = "only those on the same channel hear each other"});
  v.field("detection", d.detection, {.doc = "what it notices by itself"});
  v.field("contact", d.contact, {.doc = "what happens when it touches something"});
  v.field("feeler", d.feeler, {.unit = "m", .min = 0, .max = 1e3, .doc = "nearer than this it feels terrain and obstacles; 0: not at all"});
  v.field("estimate", d.estimate, {.doc = "errors of what it believes of itself"});
}
template <class D, class V> requires std::is_same_v<std::remove_const_t<D>, RadioDef>
void describe(D& d, V& v) {
  v.field("model", d.model,
          {.doc = "ideal: all hear all; disc: those within range (Cybulski's basic model); log_distance: waves that add up (his extended one)"});
  v.field("range", d.range, {.unit = "m", .min = 0.01, .max = 1e7, .doc = "of a disc"});
  v.field("frequency", d.frequency, {.unit = "Hz", .min = 1e6, .max = 1e12, .doc = "carrier"});
  v.field("exponent", d.exponent, {.min = 1, .max = 8, .doc = "of the path loss beyond the reference distance; 2: free space"});
  v.field("reference_distance", d.reference_distance, {.unit = "m", .min = 0.01, .max = 1e4, .doc = "free space up to here"});
  v.field("shadowing", d.shadowing, {.unit = "dB", .min = 0, .max = 40, .doc = "standard deviation from link to link, the same both ways"});
  v.field("fading", d.fading, {.doc = "of every packet on every link: none or rayleigh"});
  v.field("noise", d.noise, {.unit = "dBm", .min = -200, .max = 50, .doc = "in the receiver's bandwidth"});
  v.field("sinr", d.sinr, {.unit = "dB", .min = -40, .max = 60, .doc = "a packet needs over its whole airtime"});
  v.field("capture", d.capture, {.doc = "false: any overlap in range destroys, however weak"});
  v.field("half_duplex", d.half_duplex, {.doc = "nobody hears while sending"});
  v.field("obstruction", d.obstruction, {.unit = "dB", .min = 0, .max = 1000, .doc = "lost where terrain or an obstacle is in the way; 0: nothing"});
  v.field("loss", d.loss, {.min = 0, .max = 1, .doc = "probability of losing a packet for no other reason"});
  v.field("bit_rate", d.bit_rate, {.unit = "bit/s", .min = 1, .max = 1e12, .doc = "with the size of a message this is its airtime"});
  v.field("preamble", d.preamble, {.unit = "s", .min = 0, .max = 10, .doc = "before every packet"});
  v.field("delay", d.delay, {.unit = "s", .min = 0, .max = 1e3, .doc = "in addition, at both ends together"});
  v.field("spread", d.spread,
          {.doc = "free and CSMA: a message is said at a moment of its tick that is drawn; false: at its beginning, together with all others of that tick"});
  v.field("jitter", d.jitter, {.unit = "s", .min = 0, .max = 1e3, .doc = "free and CSMA: a message is ready up to this much after it was said"});
  v.field("queue", d.queue, {.min = 1, .max = 10000, .doc = "packets that may wait in a node; more are lost"});
  v.field("access", d.access, {.doc = "free: at once; slotted_aloha; csma"});
  v.field("slot", d.slot, {.unit = "s", .min = 1e-6, .max = 10, .doc = "of slotted ALOHA or CSMA"});
  v.field("probability", d.probability, {.min = 0, .max = 1, .doc = "slotted ALOHA: of sending in a slot"});
  v.field("sense", d.sense, {.unit = "dBm", .min = -200, .max = 50, .doc = "CSMA: the medium is busy above"});
  v.field("backoff", d.backoff, {.min = 1, .max = 1024, .doc = "CSMA: slots of the first window; it doubles up to 1024"});
}

}  // namespace volary

namespace volary::swarm {

// what every behaviour of a library has beside its parameters
template <class D, class V> void describe_entry(D& d, V& v) {
  v.field("weight", d.weight, {.min = 0, .max = 1e6, .doc = "W: how much it counts against the others; 0: switched off"});
  v.field("threshold", d.threshold, {.min = -1e9, .max = 1e9, .doc = "t_M: it may act when its trigger is above"});
  v.field("rate", d.rate,
          {.unit = "Hz", .min = 0, .max = 1e4, .doc = "how often it thinks, at most the node's decision_rate; 0: at every decision of the vehicle"});
  v.field("from", d.from, {.unit = "s", .min = 0, .max = 1e9, .doc = "time of the world from which it may act"});
  v.field("until", d.until, {.unit = "s", .min = 0, .max = 1e9, .doc = "time of the world up to which it may act; absent: to the end"});
  v.field("delay", d.delay, {.unit = "s", .min = 0, .max = 1e3, .doc = "what it decides is known this much later, and the world flies on meanwhile"});
}
// what every emission has
template <class D, class V> void describe_emission(D& d, V& v) {
  v.field("from", d.from, {.unit = "s", .min = 0, .max = 1e9, .doc = "time of the world from which it emits"});
  v.field("until", d.until, {.unit = "s", .min = 0, .max = 1e9, .doc = "time of the world up to which it emits; absent: to the end"});
}

}  // namespace volary::swarm
