/** Movement by the Web Animations API: only `translate`, `rotate`, `scale` and `opacity`, at the pace that is set, none where none is wanted. */

import type { TransitionConfig } from "svelte/transition";
import { layout } from "../state/layout.svelte";
import { PACES, prefs } from "../state/prefs.svelte";
import { CHIP_MS, DEAL_MS, SHOWN_MS, SWEEP_MS, TURN_MS, TURNS_AT } from "../state/beats";
import { readings } from "./readings";

const FADE_MS = 120;
const THROWN = "cubic-bezier(.2, .75, .25, 1)";
const SLID = "cubic-bezier(.35, 0, .2, 1)";
const CARRIED = "cubic-bezier(.65, 0, .35, 1)";

const pace = (ms: number) => ms * PACES[prefs.speed];

interface Way {
  readonly x: number;
  readonly y: number;
}

/** From the middle of an element of the table to the middle of this one. */
function wayFrom(there: Element | null, node: Element): Way {
  const here = node.getBoundingClientRect();
  const from = there?.getBoundingClientRect();
  if (!from) return { x: innerWidth / 2 - here.x, y: -here.bottom };
  return { x: from.x + from.width / 2 - here.x - here.width / 2, y: from.y + from.height / 2 - here.y - here.height / 2 };
}

const shoe = () => document.querySelector("[data-shoe]");
const bank = () => document.querySelector("[data-bank]");

/** A card leaves the shoe, flies, and turns from 60 % of its flight on. Without movement it fades in where it lies. */
export function dealt(moving: boolean, across: boolean): (node: HTMLElement) => void {
  return (node) => {
    if (!moving) return;
    if (layout.still) fades(node);
    else readings.then(() => wayFrom(shoe(), node), (way) => flies(node, way, across));
  };
}

function fades(node: Element): void {
  node.animate([{ opacity: 0 }, { opacity: 1 }], { duration: FADE_MS, fill: "backwards" });
}

function flies(node: HTMLElement, { x, y }: Way, across: boolean): void {
  const start = { translate: `${x}px ${y}px`, rotate: across ? "-98deg" : "-8deg" };
  node.animate([start, { translate: "none", rotate: "none" }], { duration: pace(DEAL_MS), easing: THROWN, fill: "backwards" });
  const whole = DEAL_MS * TURNS_AT + TURN_MS;
  const turn = [{ scale: ".94 .94" }, { scale: "1 1", offset: 1 - TURN_MS / whole, easing: SLID }, { scale: "0 1", offset: 1 - TURN_MS / whole / 2, easing: SLID }, { scale: "1 1" }];
  node.animate(turn, { duration: pace(whole), fill: "backwards" });
  node.querySelector(".back")?.animate([{ opacity: 1 }, { opacity: 0 }], { duration: pace(SHOWN_MS), easing: "steps(1)", fill: "both" });
}

/** How long a card that is dealt now keeps what it is to itself. */
export function shownAfter(): number {
  return layout.still ? 0 : pace(SHOWN_MS);
}

/** Cards of a hand make room for the next one. To be called whenever their number has changed. */
export function makesRoom(): (hand: HTMLElement, moving: boolean) => void {
  let before: readonly number[] = [];
  return (hand, moving) => {
    const slots = [...hand.querySelectorAll<HTMLElement>(".slot")];
    readings.then(
      () => slots.map((slot) => slot.offsetLeft - hand.offsetWidth / 2),
      (places) => {
        if (moving && !layout.still) slots.forEach((slot, n) => slides(slot, (before[n] ?? places[n]!) - places[n]!));
        before = places;
      },
    );
  };
}

function slides(node: Element, x: number): void {
  if (x) node.animate([{ translate: `${x}px` }, { translate: "none" }], { duration: pace(DEAL_MS), easing: SLID });
}

interface Moves {
  moving: boolean;
}

/** Chips on their way from a spot to the dealer. */
export function sweep(node: Element, { moving }: Moves): TransitionConfig | (() => TransitionConfig) {
  if (!moving || layout.still) return { duration: 0 };
  const way = readings.later(() => wayFrom(bank(), node));
  return () => {
    const { x, y } = way();
    return { duration: pace(SWEEP_MS), css: (t, u) => `translate: ${x * eased(u)}px ${y * eased(u)}px; opacity: ${Math.min(1, t * 3)}` };
  };
}

/** Chips from the dealer to the spot that won. */
export function paid(moving: boolean): (node: HTMLElement) => void {
  return (node) => {
    if (!moving) return;
    if (layout.still) fades(node);
    else readings.then(() => wayFrom(bank(), node), ({ x, y }) => comes(node, x, y));
  };
}

function comes(node: Element, x: number, y: number): void {
  const duration = pace(SWEEP_MS);
  node.animate([{ translate: `${x}px ${y}px` }, { translate: "none" }], { duration, easing: CARRIED, fill: "backwards" });
  node.animate([{ opacity: 0 }, { opacity: 1 }], { duration: duration / 3, fill: "backwards" });
}

/** A chip is put down. */
export function put(moving: boolean): (node: HTMLElement) => void {
  return (node) => {
    if (!moving || layout.still) return;
    const steps = [{ translate: "0 -6px", scale: "1.06", opacity: 0.3 }, { translate: "0 -10px", opacity: 1, offset: 0.4 }, { translate: "none", scale: "none" }];
    node.animate(steps, { duration: pace(CHIP_MS) });
  };
}

export function shake(node: Element): void {
  if (layout.still) return;
  const steps = [0, 3, -3, 3, -3, 0].map((x) => ({ transform: `translateX(${x}px)` }));
  node.animate(steps, { duration: 260, composite: "add" });
}

const eased = (u: number) => (u < 0.5 ? 4 * u ** 3 : 1 - (-2 * u + 2) ** 3 / 2);
