// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Pages as the module has them; volary/page.py is around it.
#include "bindings.hpp"
#include "flight.hpp"
#include "page.hpp"

namespace volary::python {

namespace {

std::shared_ptr<Page> open_page(Flight& f, unsigned port) {
  if (port > 65535) throw std::invalid_argument("port: " + std::to_string(port) + " is not a port: 0 to 65535, 0 for any that is free");
  nb::gil_scoped_release released;
  return f.watch(static_cast<unsigned short>(port));
}

// the moment of now, unless the page has it; false: another thread steps the world
bool show_now(Page& page, Flight& f) {
  return !page.is_behind() || f.look([&](const World& world) { page.hand_over(world); });
}

// the moment of now in its turn, for whoever does not step the world by itself
void update(const Page&, Flight& f) {
  {
    nb::gil_scoped_release released;
    f.update_page([] {
      nb::gil_scoped_acquire held;
      return PyErr_CheckSignals() != 0;
    });
  }
  if (PyErr_Occurred() != nullptr) throw nb::python_error();
}

// The page shows the moment of now when this returns: the epoch by which its clients know it.
std::uint64_t present(Page& page, Flight& f) {
  if (!f.look([&](const World& world) { page.present(world); }))
    throw std::runtime_error("the world is being stepped by another thread: take a picture from that thread, or between two steps");
  nb::gil_scoped_release released;
  return page.wait_shown();
}

}  // namespace

void add_pages(nb::module_& m) {
  nb::class_<Page>(m, "Page")
      .def_prop_ro("url", &Page::url)
      .def_prop_ro("is_open", &Page::is_open)
      .def_prop_ro("viewers", &Page::viewers)
      .def("set_own_viewers", &Page::set_own_viewers, "n"_a)
      .def("show_now", &show_now, "world"_a)
      .def("update", &update, "world"_a)
      .def("present", &present, "world"_a)
      .def("close", [](Page& p) {
        nb::gil_scoped_release released;
        p.close();
      });
  m.def("open_page", &open_page, "world"_a, "port"_a);
}

}  // namespace volary::python
