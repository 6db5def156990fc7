// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Layers whose code comes when there is first something for them to draw.
import type { Scene } from "three";
import type { Frame } from "../source/source.ts";
import type { Layer } from "./view.ts";

export const late = { loaded: (): void => {} }; // the picture is to be drawn again

export function lateLayer(scene: Scene, load: () => Promise<(scene: Scene) => Layer>, wanted: (frame: Frame, on: boolean) => boolean): Layer {
  let inner: Layer | null = null;
  let on = false;
  let asked = false;
  return {
    update(frame, view) {
      if (!asked && wanted(frame, on)) {
        asked = true;
        load().then(
          (create) => {
            inner = create(scene);
            inner.show(on);
            late.loaded();
          },
          () => {}, // the server is gone: the banner says so
        );
      }
      inner?.update(frame, view);
    },
    overlay: (c, frame, view) => inner?.overlay?.(c, frame, view) ?? false,
    show(v) {
      on = v;
      inner?.show(v);
    },
    dispose: () => inner?.dispose(),
  };
}
