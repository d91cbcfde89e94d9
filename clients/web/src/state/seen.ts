/** What the felt needs to know of whoever looks at it: a player, a spectator, or somebody who watches a round again. */

import type { Event, TableView } from "$tapete";
import type { Place } from "./betting.svelte";
import type { Rules } from "./rules";
import type { Shoe } from "./shoe.svelte";

export interface BetsSeen {
  readonly taking: readonly number[];
  readonly total: number;
  amount(at: Place): number;
  isMine(box: number): boolean;
  click(at: Place): void;
  takeBack(at: Place): void;
}

export interface Seen {
  readonly stage: { readonly view: TableView | undefined; readonly moving: boolean };
  readonly betting: BetsSeen;
  readonly shoe: Shoe;
  readonly rules: Rules;
  readonly me: string;
  readonly myName: string;
  readonly myBoxes: readonly number[];
  readonly seated: boolean;
  /** No controls on the felt. */
  readonly watchOnly: boolean;
  readonly clock: { readonly name: string; readonly until_at: number; readonly of_ms: number } | undefined;
  /** The store's time, told a few times a second. */
  readonly ticking: number;
  readonly explained: { readonly sentence: string; readonly at: Place | undefined } | undefined;
  readonly lately: Event | undefined;
  now(): number;
  askToSit(box: number): void;
}
