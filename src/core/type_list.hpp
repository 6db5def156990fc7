// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A list of types, and a loop over it: one list per kind of thing drives everything made from it.
#pragma once

namespace volary::core {

template <class... Ts> struct TypeList {
  static constexpr int size = sizeof...(Ts);
};

// calls f.template operator()<T>() for every type of the list, in order
template <class F, class... Ts> constexpr void for_each_type(TypeList<Ts...>, F&& f) { (f.template operator()<Ts>(), ...); }

}  // namespace volary::core
