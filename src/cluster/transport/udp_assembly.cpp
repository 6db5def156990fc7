// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "cluster/transport/udp_assembly.hpp"

#include <algorithm>
#include <cstring>

namespace volary::cluster {

bool ReplayWindow::has(std::uint64_t number) const {
  if (!has_any_ || number > newest_) return false;
  if (newest_ - number >= kSize) return true;
  const std::uint64_t at = number % kSize;
  return (bits_[at / 64] >> (at % 64) & 1) != 0;
}

bool ReplayWindow::accept(std::uint64_t number) {
  if (has(number)) return false;
  if (!has_any_ || (number > newest_ && number - newest_ >= kSize)) {
    bits_ = {};
  } else {
    // the places that the window moves over belong to other numbers now
    for (std::uint64_t k = newest_ + 1; k < number; ++k) bits_[k % kSize / 64] &= ~(std::uint64_t{1} << (k % 64));
  }
  newest_ = has_any_ ? std::max(newest_, number) : number;
  has_any_ = true;
  bits_[number % kSize / 64] |= std::uint64_t{1} << (number % 64);
  return true;
}

void Assembly::remove(std::size_t index) {
  bytes_ -= partial_[index].bytes.size();
  partial_.erase(partial_.begin() + static_cast<std::ptrdiff_t>(index));
}

// the message this fragment belongs to, begun where it is the first to come
Assembly::Partial* Assembly::open(std::uint32_t peer, const PacketHeader& h, std::int64_t now_ns, std::uint64_t& dropped) {
  const auto is_it = [&](const Partial& p) { return p.peer == peer && p.kind == h.kind && p.message == h.message; };
  if (const auto found = std::find_if(partial_.begin(), partial_.end(), is_it); found != partial_.end()) {
    // a fragment of another cut has no place in it
    if (found->fragments != h.fragments || found->chunk != h.chunk || found->bytes.size() != h.size) return nullptr;
    return &*found;
  }
  if (h.size > limits_.max_message || h.size > limits_.bytes) return nullptr;
  while (!partial_.empty() && (partial_.size() >= limits_.messages || bytes_ + h.size > limits_.bytes)) {
    remove(0);
    ++dropped;
  }
  bytes_ += h.size;
  partial_.push_back({.peer = peer,
                      .kind = h.kind,
                      .message = h.message,
                      .fragments = h.fragments,
                      .chunk = h.chunk,
                      .give_up_ns = now_ns + limits_.patience_ns,
                      .received = std::vector<bool>(h.fragments),
                      .bytes = std::vector<std::byte>(h.size)});
  return &partial_.back();
}

std::optional<std::vector<std::byte>> Assembly::add(std::uint32_t peer, const Packet& packet, std::int64_t now_ns, std::uint64_t& dropped) {
  const PacketHeader& h = packet.header;
  if (h.fragments == 1) {
    if (h.size > limits_.max_message) return ++dropped, std::nullopt;
    return std::vector<std::byte>(packet.part.begin(), packet.part.end());
  }
  Partial* partial = open(peer, h, now_ns, dropped);
  if (partial == nullptr) return ++dropped, std::nullopt;
  if (partial->received[h.fragment]) return std::nullopt;
  partial->received[h.fragment] = true;
  ++partial->n_received;
  std::memcpy(partial->bytes.data() + static_cast<std::size_t>(h.fragment) * h.chunk, packet.part.data(), packet.part.size());
  if (partial->n_received < partial->fragments) return std::nullopt;
  std::vector<std::byte> whole = std::move(partial->bytes);
  partial->bytes.resize(whole.size());
  remove(static_cast<std::size_t>(partial - partial_.data()));
  return whole;
}

std::uint64_t Assembly::expire(std::int64_t now_ns) {
  const std::size_t before = partial_.size();
  for (std::size_t k = partial_.size(); k-- > 0;)
    if (partial_[k].give_up_ns <= now_ns) remove(k);
  return before - partial_.size();
}

void Assembly::forget(std::uint32_t peer) {
  for (std::size_t k = partial_.size(); k-- > 0;)
    if (partial_[k].peer == peer) remove(k);
}

std::optional<std::int64_t> Assembly::next_expiry() const {
  // all have the same patience, so the oldest is first
  return partial_.empty() ? std::nullopt : std::optional(partial_.front().give_up_ns);
}

}  // namespace volary::cluster
