/** Shortcuts of the keyboard; everything is a button as well. */

import { prefs } from "../state/prefs.svelte";
import type { Room } from "../state/room.svelte";
import type { ActionName } from "../words/words";

const ACTIONS: Readonly<Record<string, ActionName>> = { p: "hit", h: "hit", s: "stand", t: "stand_all", a: "stand_all", d: "double", v: "split", x: "split" };

export function shortcut(event: KeyboardEvent, room: Room): void {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const target = event.target as HTMLElement;
  if (target.closest("input, select, textarea, dialog, .drawer")) return;
  const key = event.key.toLowerCase();
  if (!room.betting.open) {
    const action = room.truth?.game === "double_exposure" ? ACTIONS[key] : undefined;
    if (action && room.truth?.felt.turn) done(event, () => room.decide(action));
    return;
  }
  if (/^[1-9]$/.test(key)) done(event, () => pick(Number(key) - 1, room));
  else if (key === "0") done(event, () => pick(undefined, room));
  else if (!room.seated) return;
  else if (key === "b") done(event, () => room.betting.clear());
  else if (key === "r") done(event, () => room.betting.rebet());
  else if (key === " " && !target.closest("button, a")) done(event, () => void room.deal());
}

function done(event: KeyboardEvent, act: () => void): void {
  event.preventDefault();
  act();
}

function pick(place: number | undefined, room: Room): void {
  room.betting.holding = place !== undefined;
  if (place !== undefined) prefs.keep({ chip: Math.min(place, room.rules.chips.length - 1) });
}
