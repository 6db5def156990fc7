// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "multibody/imports.hpp"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>

namespace volary::multibody {

namespace {

// kinds of relocations that put the address of a symbol into eight bytes
bool is_address(std::uint64_t kind) {
#if defined(__x86_64__)
  return kind == R_X86_64_JUMP_SLOT || kind == R_X86_64_GLOB_DAT || kind == R_X86_64_64;
#else
  return kind == R_AARCH64_JUMP_SLOT || kind == R_AARCH64_GLOB_DAT || kind == R_AARCH64_ABS64;
#endif
}

const link_map* map_of(void* handle) {
  link_map* map = nullptr;
  return dlinfo(handle, RTLD_DI_LINKMAP, &map) == 0 ? map : nullptr;
}

// the tables that the loader itself works from
struct Tables {
  std::span<const ElfW(Rela)> data, calls;
  const ElfW(Sym) * symbols = nullptr;
  const char* names = nullptr;
};
Tables tables_of(const link_map& map) {
  // glibc has moved these pointers to where the library lies, other loaders leave them as they are in the file
  const auto moved = [&](ElfW(Addr) at) { return reinterpret_cast<const void*>(at < map.l_addr ? at + map.l_addr : at); };
  Tables t;
  const ElfW(Rela)* data = nullptr, *calls = nullptr;
  std::size_t data_bytes = 0, call_bytes = 0;
  for (const ElfW(Dyn)* d = map.l_ld; d->d_tag != DT_NULL; ++d) switch (d->d_tag) {
      case DT_RELA: data = static_cast<const ElfW(Rela)*>(moved(d->d_un.d_ptr)); break;
      case DT_RELASZ: data_bytes = d->d_un.d_val; break;
      case DT_JMPREL: calls = static_cast<const ElfW(Rela)*>(moved(d->d_un.d_ptr)); break;
      case DT_PLTRELSZ: call_bytes = d->d_un.d_val; break;
      case DT_SYMTAB: t.symbols = static_cast<const ElfW(Sym)*>(moved(d->d_un.d_ptr)); break;
      case DT_STRTAB: t.names = static_cast<const char*>(moved(d->d_un.d_ptr)); break;
      default: break;
    }
  t.data = {data, data_bytes / sizeof(ElfW(Rela))}, t.calls = {calls, call_bytes / sizeof(ElfW(Rela))};
  return t;
}

// the part of a library that the loader made read-only when it had filled it
struct Sealed {
  ElfW(Addr) base, begin = 0, end = 0;
};
int find_sealed(dl_phdr_info* info, std::size_t, void* result) {
  auto& sealed = *static_cast<Sealed*>(result);
  if (info->dlpi_addr != sealed.base) return 0;
  for (int k = 0; k < info->dlpi_phnum; ++k)
    if (const ElfW(Phdr)& p = info->dlpi_phdr[k]; p.p_type == PT_GNU_RELRO) sealed.begin = sealed.base + p.p_vaddr, sealed.end = sealed.begin + p.p_memsz;
  return 1;
}

bool write(const Import& import, const void* function, const Sealed& sealed) {
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE)), at = reinterpret_cast<std::uintptr_t>(import.slot), begin = at & ~(page - 1);
  // a slot of eight bytes at a multiple of eight lies in one page
  if (mprotect(reinterpret_cast<void*>(begin), page, PROT_READ | PROT_WRITE) != 0) return false;
  void* const value = static_cast<char*>(const_cast<void*>(function)) + import.addend;
  __atomic_store_n(import.slot, value, __ATOMIC_RELEASE);
  const bool was_sealed = begin >= (sealed.begin & ~(page - 1)) && begin + page <= (sealed.end & ~(page - 1));
  return !was_sealed || mprotect(reinterpret_cast<void*>(begin), page, PROT_READ) == 0;
}

}  // namespace

std::vector<Import> imports_of(void* handle) {
  std::vector<Import> found;
  const link_map* const map = map_of(handle);
  if (map == nullptr) return found;
  const Tables t = tables_of(*map);
  if (t.symbols == nullptr || t.names == nullptr) return found;
  for (const auto& list : {t.data, t.calls})
    for (const ElfW(Rela) & r : list) {
      const ElfW(Sym)& symbol = t.symbols[ELF64_R_SYM(r.r_info)];
      if (!is_address(ELF64_R_TYPE(r.r_info)) || symbol.st_shndx != SHN_UNDEF || symbol.st_name == 0) continue;
      found.push_back({t.names + symbol.st_name, reinterpret_cast<void**>(map->l_addr + r.r_offset), r.r_addend});
    }
  return found;
}

core::Status replace_imports(void* handle, std::span<const NamedFunction> functions) {
  const std::vector<Import> imports = imports_of(handle);
  Sealed sealed{.base = map_of(handle) == nullptr ? 0 : map_of(handle)->l_addr};
  dl_iterate_phdr(find_sealed, &sealed);
  for (const NamedFunction& f : functions) {
    bool is_called = false;
    for (const Import& import : imports) {
      if (import.name != f.name) continue;
      is_called = true;
      if (!write(import, f.function, sealed))
        return core::Error{.message = std::string("the function ") + f.name + " of a loaded library cannot be replaced: " + std::strerror(errno),
                           .suggestion = "does the system forbid programs to write into their own memory?"};
    }
    if (!is_called) return core::Error{.message = std::string("a loaded library does not call ") + f.name + ", which was to be replaced in it"};
  }
  return core::ok();
}

}  // namespace volary::multibody
