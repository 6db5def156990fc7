// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Memory for one Lua state: counted, bounded, and quick for the small blocks of which Lua makes thousands per millisecond. It is
// never shared by threads.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

namespace volary::swarm::script {

class Heap {
 public:
  explicit Heap(std::size_t limit) : limit_(limit) {}

  // null when the limit does not allow it; a block that shrinks always fits
  void* resize(void* block, std::size_t old_size, std::size_t size) {
    if (size > old_size && size - old_size > limit_ - used_) return nullptr;
    if (size == 0) return release(block, old_size), nullptr;
    if (block == nullptr && size <= kSmall) {
      used_ += size;
      return take_small(size);
    }
    void* const result = old_size > kSmall && size > kSmall ? std::realloc(block, size) : move(block, old_size, size);
    if (result != nullptr) used_ = used_ + size - old_size;
    return result;
  }

 private:
  static constexpr std::size_t kStep = 16, kSmall = 256, kSlab = 64u << 10;
  struct Free {
    Free* next;
  };

  void* take(std::size_t size) { return size > kSmall ? std::malloc(size) : take_small(size); }
  void* take_small(std::size_t size) {
    const std::size_t c = (size - 1) / kStep;
    Free* const first = free_[c];
    if (first == nullptr) return take_new((c + 1) * kStep);
    free_[c] = first->next;
    return first;
  }
  [[gnu::noinline]] void* take_new(std::size_t rounded) {
    if (left_ < rounded) {
      slabs_.push_back(std::make_unique<std::byte[]>(kSlab));
      next_ = slabs_.back().get();
      left_ = kSlab;
    }
    std::byte* const block = next_;
    next_ += rounded;
    left_ -= rounded;
    return block;
  }
  void put_back(void* block, std::size_t size) {
    if (size > kSmall) return std::free(block);
    Free*& first = free_[(size - 1) / kStep];
    first = new (block) Free{first};
  }
  void* move(void* block, std::size_t old_size, std::size_t size) {
    void* const result = take(size);
    if (block == nullptr || result == nullptr) return result;
    std::memcpy(result, block, std::min(old_size, size));
    put_back(block, old_size);
    return result;
  }
  void release(void* block, std::size_t size) {
    if (block == nullptr || size == 0) return;
    put_back(block, size);
    used_ -= size;
  }

  std::size_t limit_, used_ = 0;
  std::array<Free*, kSmall / kStep> free_{};
  std::vector<std::unique_ptr<std::byte[]>> slabs_;
  std::byte* next_ = nullptr;
  std::size_t left_ = 0;
};

}  // namespace volary::swarm::script
