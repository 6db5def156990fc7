// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What is committed, and what the coordinator tells the nodes. Who takes part is in coordinator_members.cpp.
#include "cluster/coordinator.hpp"

#include <algorithm>

#include "core/check.hpp"

namespace volary::cluster {

Coordinator::Coordinator(const CoordinatorOptions& options) : options_(options), period_(options.period) {
  core::require(std::has_single_bit(options.ring) && options.window + options.horizon < options.ring,
                "the ring of a federation is a power of two above window and horizon");
  log_.reset(0, 0, options.ring);
  totals_.assign(options.ring, 0);
  trigger_.period = period_;
}

void Coordinator::receive(const Message& message, Time now) {
  now_ = now;
  std::visit([this](const auto& m) { take(m); }, message);
}

void Coordinator::watch_term(std::uint64_t term) {
  if (term > options_.term) is_superseded_ = true;
  if (term < options_.term) drops_.add(Drop::OldTerm);
}

void Coordinator::receive(const Bundle& b, Time now) {
  now_ = now;
  const std::size_t id = b.member;
  if (!members_.is_known(id)) return drops_.add(Drop::Unexpected);
  Report& r = reports_[id];
  // the fence: what an earlier incarnation said about itself counts for nothing
  if (b.incarnation != members_[id].incarnation) return drops_.add(Drop::Fenced);
  if (b.sequence <= r.sequence) return drops_.add(Drop::Replayed);
  if (b.inputs > log_.end()) return drops_.add(Drop::Unexpected);
  r.heard = true, r.is_suspect = false;
  r.sequence = b.sequence, r.inputs = std::max(r.inputs, b.inputs), r.advanced = b.advanced, r.settled = b.settled, r.compute_us = b.compute_us;
  const bool is_safer = std::min(b.durable, committed_) > r.durable;
  if (is_safer) r.durable = std::min(b.durable, committed_), raise_floor();
  r.suspicion.heard(now);
  r.meter.hear(b, now);
  if (options_.adapt_pace && period_ > 0) pace_.add(b.compute_us, lag_of(b.advanced));
  // one that was given up hears of it
  if ((alive() & bit_of(id)) == 0 && b.inputs < log_.end())
    b.inputs < log_.base() ? void(owes_config_ = true) : void(sent_entries_ = std::min(sent_entries_, b.inputs));
  take_sums(id, b);
  commit();
}

void Coordinator::take_sums(std::size_t id, const Bundle& b) {
  auto& sums = sums_[id];
  Report& r = reports_[id];
  for (std::size_t k = 0; k < b.sums.size(); ++k) {
    const Tick tick = b.first_sum + k;
    if (tick <= committed_ || tick > b.settled || tick >= committed_ + options_.ring) continue;
    sums[tick & (options_.ring - 1)] = {tick, b.sums[k], b.inputs};
  }
  // ticks before it took part need no sums of it
  r.ready = std::max({r.ready, committed_, members_[id].from - 1});
  for (;; ++r.ready) {
    const Sum& s = sums[(r.ready + 1) & (options_.ring - 1)];
    if (s.tick != r.ready + 1 || s.inputs < log_.need(r.ready + 1)) return;
  }
}

// all that can be heard have passed it
void Coordinator::commit_live() {
  Tick passed = kNever;
  each_member(alive(), [&](std::size_t id) {
    if (reports_[id].heard && !reports_[id].is_suspect) passed = std::min(passed, reports_[id].settled);
  });
  if (passed != kNever && has_begun()) committed_ = std::max(committed_, std::min(passed, watermark_));
}

void Coordinator::commit() {
  const Tick before = committed_;
  if (options_.live) commit_live();
  while (!options_.live && has_begun() && committed_ < watermark_) {
    const Tick tick = committed_ + 1;
    const MemberMask active = members_.active(tick);
    if (active == 0) break;
    std::uint64_t total = 0;
    bool all = true;
    each_member(active, [&](std::size_t id) {
      if (reports_[id].ready < tick)
        all = false;
      else
        total += sums_[id][tick & (options_.ring - 1)].sum;
    });
    // totals that the host has not taken yet are kept
    if (!all || tick >= told_ + options_.ring) break;
    totals_[tick & (options_.ring - 1)] = total;
    committed_ = tick;
  }
  if (committed_ != before) raise_floor();
}

// below the floor nothing is ever asked for again: not by a rollback, nor by a member that is restarted from its saved state
void Coordinator::raise_floor() {
  Tick floor = committed_;
  each_member(alive(), [&](std::size_t id) { floor = std::min(floor, options_.keeps_states ? kept_[id] : reports_[id].durable); });
  floor_ = std::max(floor_, floor);
  // in a live federation an entry may act later than it should
  const Tick over = options_.live ? floor_ - std::min<Tick>(floor_, options_.ring) : floor_;
  while (!log_.entries().empty() && LogBook::is_over(log_.entries().front(), over) && log_.entries().front().sequence <= least_known()) {
    base_members_.apply(log_.entries().front());
    log_.fold();
  }
}

Tick Coordinator::limit() const {
  if (!has_begun()) return 0;
  if (options_.live) return kMaxTick;
  return std::min(committed_ + options_.window, floor_ + options_.ring - 1);
}

// the first tick that nobody has advanced
Tick Coordinator::next_change() const { return options_.live ? aligned() + 2 : limit() + 1; }

Tick Coordinator::aligned() const {
  Tick tick = kNever;
  each_member(members_.active(committed_ + 1), [&](std::size_t id) { tick = std::min(tick, reports_[id].advanced); });
  return tick == kNever ? committed_ : std::max(tick, committed_);
}

// ticks between what is due and what a member has advanced
Tick Coordinator::lag_of(Tick advanced) const {
  const Tick due = trigger_.origin_tick + static_cast<Tick>(std::max<Time>(now_ - trigger_.origin, 0) / period_);
  return std::min(due, limit()) - std::min(advanced, std::min(due, limit()));
}

core::Result<Entry> Coordinator::submit(std::span<const std::byte> bytes, Tick tick) {
  if (bytes.size() > kMaxEntryBytes) return core::Error{.message = "an input of a federation is longer than 256 KiB"};
  if (log_.entries().size() >= options_.most_pending)
    return core::Error{.message = "too many inputs of the federation are pending; wait until some are committed"};
  if (tick > kMaxTick) return core::Error{.message = "the tick of an input is out of bounds"};
  Entry e{.effective = std::max(tick, committed_ + 1)};
  e.bytes.assign(bytes.begin(), bytes.end());
  append(e);
  return log_[log_.end()];
}

void Coordinator::append(Entry e) {
  e.sequence = log_.end() + 1;
  members_.apply(e);
  log_.push(e);
  if (e.effective == kNever) return;
  // sums of ticks that it acts on are those of a world without it
  for (Report& r : reports_) r.ready = std::min(r.ready, std::max(e.effective - 1, committed_));
}

CoordinatorAction Coordinator::next(Time now) {
  using enum CoordinatorAct;
  now_ = now;
  rate_.add(committed_, now);
  if (is_superseded_) return {Superseded};
  if (told_ < committed_) return ++told_, CoordinatorAction{.what = Commit, .tick = told_, .sum = totals_[told_ & (options_.ring - 1)]};
  if (now >= look_at_) look_for_the_dead(now), look_at_ = now + kLookEvery;
  if (now >= pace_at_) change_pace(now), pace_at_ = now + Pace::kEvery;
  if (!suspects_.empty()) {
    const std::size_t id = suspects_.back();
    return suspects_.pop_back(), CoordinatorAction{.what = Suspect, .member = id};
  }
  if (!refusals_.empty()) return message_ = refusals_.back(), refusals_.pop_back(), CoordinatorAction{Publish};
  if (!notices_.empty()) return message_ = notices_.back(), notices_.pop_back(), CoordinatorAction{Publish};
  if (owes_config_) return write_config(), CoordinatorAction{Publish};
  if (sent_entries_ < log_.end() && write_log(sent_entries_)) return {Publish};
  if (now >= trigger_at_ || limit() >= sent_limit_ + std::max(options_.window / 4, 1u)) return write_trigger(now), CoordinatorAction{Publish};
  if (now >= repeat_at_) {
    repeat_at_ = now + options_.repeat;
    each_member(alive(), [&](std::size_t id) { owes_config_ |= !reports_[id].heard; });
    if (least_known() < log_.end() && write_log(least_known())) return {Publish};
    if (owes_config_) return write_config(), CoordinatorAction{Publish};
  }
  return {.until = std::min({trigger_at_, repeat_at_, look_at_})};
}

void Coordinator::write_trigger(Time now) {
  trigger_at_ = now + options_.trigger_every;
  sent_limit_ = limit();
  trigger_.term = options_.term, trigger_.sequence = ++sequence_, trigger_.sent = now, trigger_.limit = sent_limit_, trigger_.aligned = aligned();
  trigger_.committed = committed_, trigger_.floor = floor_, trigger_.log_end = log_.end(), trigger_.mode = is_paused_ ? RunMode::Pause : RunMode::Run;
  message_ = trigger_;
}

bool Coordinator::write_log(std::uint64_t after) {
  LogPart part{.term = options_.term};
  std::size_t bytes = 0;
  for (std::uint64_t k = std::max(after, log_.base()) + 1; k <= log_.end() && part.entries.size() < kMaxEntries; ++k) {
    bytes += log_[k].bytes.size();
    if (!part.entries.empty() && bytes > kMaxEntryBytes) break;
    part.entries.push_back(log_[k]);
    sent_entries_ = std::max(sent_entries_, k);
  }
  const bool any = !part.entries.empty();
  message_ = std::move(part);
  return any;
}

void Coordinator::write_config() {
  owes_config_ = false;
  Config c{.term = options_.term,
           .scenario = options_.scenario,
           .build = options_.build,
           .horizon = options_.horizon,
           .carry = options_.carry,
           .ring = options_.ring,
           .live = options_.live};
  c.committed = committed_, c.floor = floor_, c.base = log_.base(), c.base_need = log_.base_need();
  base_members_.list(c.members);
  message_ = std::move(c);
}

// nobody is missing or has just come back: only then does who is late tell of load
bool Coordinator::is_whole(Time now) const {
  bool whole = has_begun() && !is_paused_;
  each_member(alive(),
              [&](std::size_t id) { whole &= reports_[id].heard && !reports_[id].is_suspect && !vacant_[id] && now - reports_[id].began > kSettleDown; });
  return whole;
}

void Coordinator::change_pace(Time now) {
  if (!options_.adapt_pace || period_ == 0) return;
  if (!is_whole(now)) whole_at_ = now + kSettleDown;
  if (now < whole_at_) return pace_.forget();
  Time way = options_.trigger_every;
  each_member(alive(), [&](std::size_t id) { way = std::max(way, reports_[id].meter.round_trip()); });
  const Time period = pace_.decide(now, period_, options_.period, way);
  is_overloaded_ = pace_.is_overloaded();
  if (period != period_) set_period(period, now);
}

// a new schedule begins where the old one stands
void Coordinator::set_period(Time period, Time now) {
  const Tick tick = aligned();
  trigger_.origin_tick = tick, trigger_.origin = now, trigger_.period = period_ = period;
  trigger_at_ = now;
}

void Coordinator::want_period(Time period, Time now) {
  options_.period = period;
  set_period(period, now);
}

void Coordinator::set_paused(bool paused) {
  is_paused_ = paused;
  if (!paused && period_ > 0) set_period(period_, now_);
  trigger_at_ = now_;
}

// ---------------------------------------------------------------- how it does

NodeHealth Coordinator::health(std::size_t id, Time now) const {
  NodeHealth h{.member = id};
  if (!members_.is_known(id)) return h;
  const Report& r = reports_[id];
  const Member& m = members_[id];
  r.meter.fill(h, now, period_);
  h.incarnation = m.incarnation, h.advanced = r.advanced, h.settled = r.settled, h.durable = options_.keeps_states ? kept_[id] : r.durable;
  if (m.until <= committed_ + 1)
    h.state = gone_[id];
  else if (m.absent_from != kNever)
    h.state = members_.is_extrapolated(id, committed_ + 1) ? NodeState::Extrapolated : NodeState::Frozen;
  else
    h.state = vacant_[id] ? NodeState::Missing : r.is_suspect ? NodeState::Silent : r.heard ? NodeState::Running : NodeState::Starting;
  Tick furthest = 0;
  // an observer sits beside the coordinator and is ahead of all
  each_member(members_.active(committed_ + 1), [&](std::size_t k) {
    if (k < options_.places) furthest = std::max(furthest, reports_[k].advanced);
  });
  h.skew = furthest - std::min(furthest, r.advanced);
  return h;
}

void Coordinator::fill(FederationHealth& h) const {
  h.committed = committed_, h.aligned = aligned(), h.limit = limit();
  h.rate = rate_.rate();
  h.period = static_cast<double>(period_) * 1e-9, h.wanted_period = static_cast<double>(options_.period) * 1e-9;
  h.is_overloaded = is_overloaded_, h.is_paused = is_paused_;
  h.inputs = log_.end(), h.restarts = restarts_, h.absences = absences_;
  Tick least = kNever, most = 0;
  each_member(members_.active(committed_ + 1), [&](std::size_t id) {
    if (id >= options_.places) return;
    least = std::min(least, reports_[id].advanced), most = std::max(most, reports_[id].advanced);
  });
  h.skew = least == kNever ? 0 : most - least;
}

}  // namespace volary::cluster
