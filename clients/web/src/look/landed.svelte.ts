/** What is said of cards: what a new card changes waits until that card shows its face, all else is said at once. */

import { untrack } from "svelte";
import { shownAfter } from "./motion";

export function landed<T>(said: () => T, cards: () => number, moving: () => boolean): { readonly now: T } {
  let faceUp = $state(untrack(cards));
  let held = untrack(said);
  const now = $derived.by(() => {
    if (cards() <= faceUp) held = said();
    return held;
  });
  $effect(() => {
    const count = cards();
    const wait = untrack(() => moving() && count > faceUp) ? shownAfter() : 0;
    if (wait === 0) {
      faceUp = count;
      return;
    }
    const timer = setTimeout(() => {
      faceUp = count;
    }, wait);
    return () => clearTimeout(timer);
  });
  return {
    get now() {
      return now;
    },
  };
}
