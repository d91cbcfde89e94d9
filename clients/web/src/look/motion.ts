/** Movement by the Web Animations API: only `transform` and `opacity`, at the pace that is set, none where none is wanted. */

import type { TransitionConfig } from "svelte/transition";
import { layout } from "../state/layout.svelte";
import { PACES, prefs } from "../state/prefs.svelte";
import { DEAL_MS, TURN_MS } from "../state/stage.svelte";

const FADE_MS = 120;
const CHIP_MS = 180;
const SWEEP_MS = 420;
const THROWN = "cubic-bezier(.2, .75, .25, 1)";
const SLID = "cubic-bezier(.35, 0, .2, 1)";

const pace = (ms: number) => ms * PACES[prefs.speed];

/** From the middle of an element of the table to the middle of this one. */
function offset(node: Element, from: string): { x: number; y: number } {
  const there = document.querySelector(from)?.getBoundingClientRect();
  const here = node.getBoundingClientRect();
  if (!there) return { x: innerWidth / 2 - here.x, y: -here.bottom };
  return { x: there.x + there.width / 2 - here.x - here.width / 2, y: there.y + there.height / 2 - here.y - here.height / 2 };
}

/** A card leaves the shoe, flies, and turns from 60 % of its flight on. Without movement it fades in where it lies. */
export function dealt(moving: boolean, across: boolean, turnedUp: () => void): (node: HTMLElement) => void {
  return (node) => {
    if (!moving) return;
    if (layout.still) {
      node.animate([{ opacity: 0 }, { opacity: 1 }], { duration: FADE_MS, fill: "backwards" });
      return;
    }
    const { x, y } = offset(node, "[data-shoe]");
    const start = `translate(${x}px, ${y}px) rotate(${across ? -98 : -8}deg) scale(.92)`;
    node.animate([{ transform: start }, { transform: "none" }], { duration: pace(DEAL_MS), easing: THROWN, fill: "backwards" });
    turned(node, turnedUp);
  };
}

function turned(node: HTMLElement, turnedUp: () => void): void {
  const delay = pace(DEAL_MS) * 0.6;
  const half = pace(TURN_MS) / 2;
  const edge = { transform: "scaleX(0)" };
  const flat = { transform: "scaleX(1)" };
  const [face, back] = [node.querySelector(".face"), node.querySelector(".back")];
  back?.animate([flat, edge], { duration: half, delay, easing: SLID, fill: "both" });
  const up = face?.animate([edge, flat], { duration: half, delay: delay + half, easing: SLID, fill: "backwards" });
  void up?.finished.then(turnedUp, () => undefined);
}

/** How long a total waits for its card to show its face. */
export function turnDelay(): number {
  return layout.still ? 0 : pace(DEAL_MS * 0.6 + TURN_MS / 2);
}

interface Moves {
  moving: boolean;
}

const still: TransitionConfig = { duration: 0 };

/** Chips on their way from a spot to the dealer. */
export function sweep(node: Element, { moving }: Moves): TransitionConfig {
  if (!moving || layout.still) return still;
  const { x, y } = offset(node, "[data-bank]");
  return { duration: pace(SWEEP_MS), css: (t, u) => `transform: translate(${x * eased(u)}px, ${y * eased(u)}px); opacity: ${Math.min(1, t * 3)}` };
}

/** Chips from the dealer to the spot that won. */
export function pay(node: Element, { moving }: Moves): TransitionConfig {
  if (!moving) return still;
  if (layout.still) return { duration: FADE_MS, css: (t) => `opacity: ${t}` };
  const { x, y } = offset(node, "[data-bank]");
  return { duration: pace(SWEEP_MS), css: (t, u) => `transform: translate(${x * eased(u)}px, ${y * eased(u)}px); opacity: ${Math.min(1, t * 3)}` };
}

/** A chip is put down. */
export function put(node: Element, { moving = true }: Partial<Moves> = {}): TransitionConfig {
  if (!moving || layout.still) return still;
  return { duration: pace(CHIP_MS), css: (t, u) => `transform: translateY(${-8 * Math.sin(Math.PI * t) - 6 * u}px) scale(${1 + 0.06 * u}); opacity: ${Math.min(1, 0.3 + t * 2)}` };
}

export function shake(node: Element): void {
  if (layout.still) return;
  const steps = [0, 3, -3, 3, -3, 0].map((x) => ({ transform: `translateX(${x}px)` }));
  node.animate(steps, { duration: 260, composite: "add" });
}

export function flipMs(moving: boolean): number {
  return moving && !layout.still ? pace(DEAL_MS) : 0;
}

const eased = (u: number) => (u < 0.5 ? 4 * u ** 3 : 1 - (-2 * u + 2) ** 3 / 2);
