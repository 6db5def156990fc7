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
}  // namespace

void Buffer::Free::operator()(std::byte* p) const { std::free(p); }

Buffer::Buffer(std::size_t bytes) : size_(bytes) {
  const std::size_t align = bytes >= kHugePage ? kHugePage : kLine;
  const std::size_t whole = (bytes + kSlack + align - 1) / align * align;
  auto* p = static_cast<std::byte*>(std::aligned_alloc(align, whole));
  require(p != nullptr, "out of memory");
  if (align == kHugePage) madvise(p, whole, MADV_HUGEPAGE);
  std::memset(p, 0, whole);
  data_.reset(p);
}

void Buffer::grow(std::size_t bytes) {
  if (bytes <= size_) return;
  Buffer larger(bytes);
  if (size_ > 0) std::memcpy(larger.data(), data(), size_);
  *this = std::move(larger);
}

}  // namespace volary::core
