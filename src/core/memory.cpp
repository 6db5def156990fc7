// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/memory.hpp"

#include <sys/mman.h>

#include <cstdlib>
#include <cstring>

#include "core/check.hpp"

namespace volary::core {

namespace {
constexpr std::size_t kLine = 64, kHugePage = std::size_t{2} << 20;
// kernels prefetch this far past the end; the memory must be there
constexpr std::size_t kSlack = 65536;

class Host final : public Memory {
 public:
  std::byte* take(std::size_t bytes) override {
    const std::size_t align = bytes >= kHugePage ? kHugePage : kLine;
    const std::size_t whole = (bytes + kSlack + align - 1) / align * align;
    auto* p = static_cast<std::byte*>(std::aligned_alloc(align, whole));
    require(p != nullptr, "out of memory");
    if (align == kHugePage) madvise(p, whole, MADV_HUGEPAGE);
    std::memset(p, 0, whole);
    return p;
  }
  void give_back(std::byte* p, std::size_t) override { std::free(p); }
};
}  // namespace

Memory& host_memory() {
  static Host host;
  return host;
}

Buffer::Buffer(std::size_t bytes, Memory& from) : memory_(&from), data_(from.take(bytes)), size_(bytes) {}
Buffer::~Buffer() {
  if (data_ != nullptr) memory_->give_back(data_, size_);
}

void Buffer::grow(std::size_t bytes) {
  if (bytes <= size_) return;
  Buffer larger(bytes, *memory_);
  if (size_ > 0) std::memcpy(larger.data(), data(), size_);
  *this = std::move(larger);
}

}  // namespace volary::core
