// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "engine/backend.hpp"

#include "engine/backend_list.hpp"  // made by cmake/kernels.cmake: VOLARY_BACKENDS(X), in the order of preference, the best last

namespace volary::engine {

#define VOLARY_DECLARE(name) extern const Backend kBackend_##name;
VOLARY_BACKENDS(VOLARY_DECLARE)
#undef VOLARY_DECLARE

const std::vector<const Backend*>& all_backends() {
#define VOLARY_LIST(name) &kBackend_##name,
  static const std::vector<const Backend*> all = {VOLARY_BACKENDS(VOLARY_LIST)};
#undef VOLARY_LIST
  return all;
}

const Backend* find_backend(int lanes, bool optimised) {
  const Backend* found = nullptr;
  for (const Backend* b : all_backends())
    if (b->optimised == optimised && b->supported() && (lanes == 0 || b->lanes == lanes)) found = b;
  return found;
}

namespace {
const Kernel* search(const Backend& b, const std::string& model, const std::string& program, int bytes) {
  for (int k = 0; k < b.n_kernels; ++k)
    if (b.kernels[k].bytes_per_scalar == bytes && b.kernels[k].program == program && b.kernels[k].model == model) return &b.kernels[k];
  for (int k = 0; k < b.sensed->n_kernels; ++k)
    if (const Kernel& one = b.sensed->kernels[k]; one.bytes_per_scalar == bytes && one.program == program && one.model == model) return &one;
  return nullptr;
}
const SenseKernel* search_senses(const Backend& b, int bytes) {
  for (int k = 0; k < b.senses->n; ++k)
    if (b.senses->kernels[k].bytes_per_scalar == bytes) return &b.senses->kernels[k];
  return nullptr;
}
// double worlds of a backend that has none: 4 lanes in AVX2 registers for the widest, one by one for the others
const Backend* instead_of(const Backend& backend) {
  const Backend* other = find_backend(backend.lanes == 16 ? 8 : 1, backend.optimised);
  return other == nullptr ? find_backend(1, backend.optimised) : other;
}
}  // namespace

const Kernel* find_kernel(const Backend& backend, const std::string& model, const std::string& program, int bytes) {
  if (const Kernel* k = search(backend, model, program, bytes)) return k;
  const Backend* other = instead_of(backend);
  return other == nullptr ? nullptr : search(*other, model, program, bytes);
}

const SenseKernel* find_sense_kernel(const Backend& backend, int bytes) {
  if (const SenseKernel* k = search_senses(backend, bytes)) return k;
  const Backend* other = instead_of(backend);
  return other == nullptr ? nullptr : search_senses(*other, bytes);
}

}  // namespace volary::engine
