/** Marks of the derived roads. Red is drawn heavy and blue light, so that a road can be read without its colours. */

import type { Mark } from "../roads/roads";

export interface MarkShape {
  readonly kind: "ring" | "disc" | "slash";
  readonly side: "b" | "p";
  readonly width: number;
  readonly radius: number;
}

export function markShape(k: 1 | 2 | 3, mark: Mark, u: number): MarkShape {
  const heavy = mark === "R";
  const side = heavy ? "b" : "p";
  if (k === 1) {
    const width = u * (heavy ? 0.24 : 0.13);
    return { kind: "ring", side, width, radius: u * 0.43 - width / 2 };
  }
  if (k === 2) return { kind: "disc", side, width: 0, radius: u * (heavy ? 0.43 : 0.29) };
  return { kind: "slash", side, width: u * (heavy ? 0.26 : 0.13), radius: 0 };
}
