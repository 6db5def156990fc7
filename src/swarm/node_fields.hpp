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
  v.field("range", d.range, {.unit = "m", .min = 0, .max = 1e5, .doc = "distance up to which the vehicle detects other vehicles; 0: it detects none"});
  v.field("field_of_view", d.field_of_view, {.unit = "rad", .min = 0.01, .max = 6.283185307179587, .doc = "full angle of the field of view about the nose"});
  v.field("rate", d.rate, {.unit = "Hz", .min = 1e-3, .max = 1e4, .doc = "rate of detection"});
  v.field("line_of_sight", d.line_of_sight, {.doc = "whether terrain and obstacles hide the vehicles behind them"});
}
template <class D, class V> requires std::is_same_v<std::remove_const_t<D>, ContactDef>
void describe(D& d, V& v) {
  v.field("policy", d.policy, {.doc = "effect of a contact faster than speed: ignore, crash (motors off), remove or bounce"});
  v.field("radius", d.radius, {.unit = "m", .min = 0, .max = 1e3, .doc = "radius of the contact sphere about the vehicle; 0: the size of its airframe"});
  v.field("speed", d.speed, {.unit = "m/s", .min = 0, .max = 1e3, .doc = "contact speed up to which a contact does no harm"});
  v.field("ground_speed", d.ground_speed,
          {.unit = "m/s", .min = 0, .max = 1e3, .doc = "speed into the ground above which a vehicle with full physics crashes, whatever the policy; 0: never"});
}
template <class D, class V> requires std::is_same_v<std::remove_const_t<D>, EstimateDef>
void describe(D& d, V& v) {
  v.field("position_noise", d.position_noise,
          {.unit = "m", .min = 0, .max = 1e3, .doc = "standard deviation of the error of the vehicle's own position estimate, on each axis"});
  v.field("velocity_noise", d.velocity_noise,
          {.unit = "m/s", .min = 0, .max = 1e3, .doc = "standard deviation of the error of the vehicle's own velocity estimate, on each axis"});
}
template <class D, class V> requires std::is_same_v<std::remove_const_t<D>, NodeDef>
void describe(D& d, V& v) {
  v.field("decision_rate", d.decision_rate, {.unit = "Hz", .min = 1e-3, .max = 1e4, .doc = "rate at which each vehicle decides; vehicles take turns by id"});
  v.field("cooperation", d.cooperation,
          {.min = -1e3, .max = 1e3, .doc = "weight eta of agreement with the intended velocities of neighbours in the choice of a behaviour; 0: no weight"});
  v.field("state_rate", d.state_rate, {.unit = "Hz", .min = 0, .max = 1e4, .doc = "rate at which the vehicle sends its state to the others; 0: never"});
  v.field("memory", d.memory, {.min = 0, .max = 1024, .doc = "greatest number of neighbour states that the vehicle remembers, the nearest ones"});
  v.field("forget", d.forget, {.unit = "s", .min = 0, .max = 1e6, .doc = "time without a message after which the vehicle forgets a neighbour state"});
  v.field("receives", d.receives, {.doc = "whether the vehicle receives messages; false: a passive object that only sends"});
  v.field("radio_power", d.radio_power, {.unit = "dBm", .min = -100, .max = 60, .doc = "power of the radio transmitter"});
  v.field("radio_channel", d.radio_channel, {.min = 0, .max = 255, .doc = "radio channel; only vehicles on the same channel hear each other"});
  v.field("detection", d.detection, {.doc = "detection of other vehicles by the vehicle's own sensors"});
  v.field("contact", d.contact, {.doc = "consequences of a contact with another vehicle, the ground or an obstacle"});
  v.field("obstacle_range", d.obstacle_range, {.unit = "m", .min = 0, .max = 1e3, .doc = "distance up to which the vehicle senses terrain and obstacles; 0: it senses none"});
  v.field("estimate", d.estimate, {.doc = "errors of the vehicle's estimate of its own state"});
}
template <class D, class V> requires std::is_same_v<std::remove_const_t<D>, RadioDef>
void describe(D& d, V& v) {
  v.field("model", d.model,
          {.doc = "propagation model. ideal: all receive all; disc: reception within range (Cybulski's basic model); log_distance: path loss and interference "
                  "(his extended model)"});
  v.field("range", d.range, {.unit = "m", .min = 0.01, .max = 1e7, .doc = "distance up to which a packet is received in the disc model"});
  v.field("frequency", d.frequency, {.unit = "Hz", .min = 1e6, .max = 1e12, .doc = "carrier frequency"});
  v.field("exponent", d.exponent, {.min = 1, .max = 8, .doc = "path-loss exponent beyond the reference distance; 2: free space"});
  v.field("reference_distance", d.reference_distance,
          {.unit = "m", .min = 0.01, .max = 1e4, .doc = "distance up to which the path loss is that of free space"});
  v.field("shadowing", d.shadowing,
          {.unit = "dB", .min = 0, .max = 40, .doc = "standard deviation of the shadowing from link to link, the same in both directions; 0: none"});
  v.field("fading", d.fading, {.doc = "fading of every packet on every link: none or rayleigh"});
  v.field("noise", d.noise, {.unit = "dBm", .min = -200, .max = 50, .doc = "noise power in the receiver's bandwidth"});
  v.field("sinr", d.sinr, {.unit = "dB", .min = -40, .max = 60, .doc = "ratio of signal to interference and noise that a packet needs over its whole airtime"});
  v.field("capture", d.capture, {.doc = "whether a packet can survive an overlap with weaker packets; false: any overlap in range destroys it"});
  v.field("half_duplex", d.half_duplex, {.doc = "whether a radio cannot receive while it transmits"});
  v.field("obstruction", d.obstruction,
          {.unit = "dB",
           .min = 0,
           .max = 1000,
           .doc = "attenuation where terrain or an obstacle blocks the line of sight; 0: none. In the disc model any value above 0 blocks the link"});
  v.field("loss", d.loss, {.min = 0, .max = 1, .doc = "probability of losing a packet for no other reason"});
  v.field("bit_rate", d.bit_rate, {.unit = "bit/s", .min = 1, .max = 1e12, .doc = "bit rate, which together with the size of a message gives its airtime"});
  v.field("preamble", d.preamble, {.unit = "s", .min = 0, .max = 10, .doc = "duration of the preamble before every packet"});
  v.field("delay", d.delay, {.unit = "s", .min = 0, .max = 1e3, .doc = "additional delay of a message, for processing at both ends together"});
  v.field("spread", d.spread, {.doc = "whether a message is sent at a random moment of its tick (access free and csma); false: at the beginning of the tick"});
  v.field("jitter", d.jitter,
          {.unit = "s", .min = 0, .max = 1e3, .doc = "greatest random delay until a message is ready to be sent (access free and csma); 0: none"});
  v.field("queue", d.queue, {.min = 1, .max = 10000, .doc = "number of packets that may wait in a node; further packets are lost"});
  v.field("access", d.access, {.doc = "medium access: free (a packet is sent at once), slotted_aloha or csma"});
  v.field("slot", d.slot, {.unit = "s", .min = 1e-6, .max = 10, .doc = "length of a slot (access slotted_aloha and csma)"});
  v.field("probability", d.probability, {.min = 0, .max = 1, .doc = "probability of sending in a slot (access slotted_aloha)"});
  v.field("sense", d.sense, {.unit = "dBm", .min = -200, .max = 50, .doc = "received power above which the medium counts as busy (access csma)"});
  v.field("backoff", d.backoff, {.min = 1, .max = 1024, .doc = "number of slots in the first backoff window, which doubles up to 1024 (access csma)"});
}

}  // namespace volary

namespace volary::swarm {

// what every behaviour of a library has beside its parameters
template <class D, class V> void describe_entry(D& d, V& v) {
  v.field("weight", d.weight, {.min = 0, .max = 1e6, .doc = "weight W of the behaviour in the choice between behaviours; 0: switched off"});
  v.field("threshold", d.threshold, {.min = -1e9, .max = 1e9, .doc = "trigger threshold t_M; the behaviour may act while its trigger is above it"});
  v.field("rate", d.rate,
          {.unit = "Hz",
           .min = 0,
           .max = 1e4,
           .doc = "rate at which the behaviour is evaluated, at most the node's decision_rate; 0: at every decision of the vehicle"});
  v.field("from", d.from, {.unit = "s", .min = 0, .max = 1e9, .doc = "simulated time from which the behaviour may act"});
  v.field("until", d.until, {.unit = "s", .min = 0, .max = 1e9, .doc = "simulated time up to which the behaviour may act; absent: the end of the run"});
  v.field("delay", d.delay,
          {.unit = "s", .min = 0, .max = 1e3, .doc = "time from the start of a decision until its result takes effect; the simulation continues meanwhile"});
}
// what every emission has
template <class D, class V> void describe_emission(D& d, V& v) {
  v.field("from", d.from, {.unit = "s", .min = 0, .max = 1e9, .doc = "simulated time from which the stimulus is emitted"});
  v.field("until", d.until, {.unit = "s", .min = 0, .max = 1e9, .doc = "simulated time up to which the stimulus is emitted; absent: the end of the run"});
}

}  // namespace volary::swarm
