// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A buffer on cache lines, on huge pages when it is large, zeroed, never smaller than asked; and where its memory comes from.
#pragma once

#include <cstddef>
#include <utility>

namespace volary::core {

// Whoever keeps columns asks one of these for memory: the host's, or that of another place where flocks live.
class Memory {
 public:
  virtual ~Memory() = default;
  // zeroed, on a cache line, and with room behind it that kernels may prefetch; it does not return without
  virtual std::byte* take(std::size_t bytes) = 0;
  virtual void give_back(std::byte* p, std::size_t bytes) = 0;
};
Memory& host_memory();

class Buffer {
 public:
  Buffer() : Buffer(host_memory()) {}
  explicit Buffer(Memory& from) : memory_(&from) {}
  explicit Buffer(std::size_t bytes, Memory& from = host_memory());
  ~Buffer();
  Buffer(Buffer&& other) noexcept : memory_(other.memory_), data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  Buffer& operator=(Buffer&& other) noexcept {
    std::swap(memory_, other.memory_), std::swap(data_, other.data_), std::swap(size_, other.size_);
    return *this;
  }

  std::byte* data() { return data_; }
  const std::byte* data() const { return data_; }
  std::size_t size() const { return size_; }
  // keeps the old content, in the same memory; the pointer may change
  void grow(std::size_t bytes);

 private:
  Memory* memory_;
  std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace volary::core
