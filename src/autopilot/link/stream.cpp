// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Streams: connections and serial lines that are open.
#include <unistd.h>

#include <cerrno>

#include "autopilot/link/channel.hpp"

namespace volary::autopilot {

StreamChannel::StreamChannel(LinkHub& hub, std::size_t link, FileHandle file, bool is_socket)
    : hub_(hub), link_(link), file_(std::move(file)), is_socket_(is_socket), id_(hub.add(link)) {
  hub_.watch(file_.fd(), link_, id_, EPOLLIN);
}

bool StreamChannel::serve(std::uint32_t events) {
  if ((events & EPOLLOUT) != 0) flush();
  Read last = Read::Some;
  for (int k = 0; k < kStreamReadsAtOnce && last == Read::Some; ++k) last = read_once();
  // everything that came before the end has been read by now
  const bool has_ended = (events & (EPOLLHUP | EPOLLERR)) != 0 && last == Read::Nothing;
  return last != Read::End && !has_ended;
}

StreamChannel::Read StreamChannel::read_once() {
  const std::span<std::byte> into = hub_.buffer();
  const ssize_t n = ::read(file_.fd(), into.data(), into.size());
  if (n > 0) {
    hub_.received(id_, into.first(static_cast<std::size_t>(n)));
    return Read::Some;
  }
  if (n == 0) return Read::End;
  return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR ? Read::Nothing : Read::End;
}

// how many bytes the system took; a stream that is broken takes none, and poll sees its end
std::size_t StreamChannel::write_some(std::span<const std::byte> bytes) {
  std::size_t n = 0;
  while (n < bytes.size() && !is_broken_) {
    const std::span<const std::byte> rest = bytes.subspan(n);
    const ssize_t k = is_socket_ ? ::send(file_.fd(), rest.data(), rest.size(), MSG_DONTWAIT | MSG_NOSIGNAL) : ::write(file_.fd(), rest.data(), rest.size());
    if (k > 0) n += static_cast<std::size_t>(k);
    if (k < 0 && errno == EINTR) continue;
    if (k <= 0) {
      is_broken_ = k < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != ENOBUFS;
      break;
    }
  }
  if (ChannelCounts* counts = hub_.counts_of(id_)) counts->sent += n;
  return n;
}

void StreamChannel::send(std::span<const std::byte> bytes) {
  const bool fits = unsent_.size() - head_ + bytes.size() <= hub_.options().most_unsent;
  if (!fits || is_broken_) {
    if (ChannelCounts* counts = hub_.counts_of(id_)) counts->dropped += bytes.size();
    return;
  }
  // what waits goes first
  keep(bytes.subspan(has_unsent() ? 0 : write_some(bytes)));
  watch_writable(has_unsent() && !is_broken_);
}

void StreamChannel::keep(std::span<const std::byte> bytes) {
  if (head_ > hub_.options().most_unsent / 2) {
    unsent_.erase(unsent_.begin(), unsent_.begin() + static_cast<std::ptrdiff_t>(head_));
    head_ = 0;
  }
  unsent_.insert(unsent_.end(), bytes.begin(), bytes.end());
}

void StreamChannel::flush() {
  head_ += write_some(std::span(unsent_).subspan(head_));
  if (!has_unsent()) {
    unsent_.clear();
    head_ = 0;
  }
  watch_writable(has_unsent() && !is_broken_);
}

void StreamChannel::watch_writable(bool is_wanted) {
  if (is_wanted == watches_writable_) return;
  watches_writable_ = is_wanted;
  hub_.watch_again(file_.fd(), link_, id_, EPOLLIN | (is_wanted ? std::uint32_t{EPOLLOUT} : 0U));
}

void StreamChannel::close() {
  if (ChannelCounts* counts = hub_.counts_of(id_)) counts->dropped += unsent_.size() - head_;
  hub_.unwatch(file_.fd());
  file_ = FileHandle();
  hub_.closed(id_);
}

}  // namespace volary::autopilot
