/** The player's bets as the page shows them: own clicks at once, then as absolute amounts to the table, a few clicks at a time. */

import type { TableView } from "$tapete";
import { chips as chipsText, words } from "../words/index.svelte";
import { refusalWords } from "../words/refusals";
import { spotName } from "../words/say";
import type { Follower } from "../wire/follower";
import { Refusal, type Session } from "../wire/session";
import type { Part } from "./part";
import { pileFor } from "./piles";
import { prefs } from "./prefs.svelte";
import { limitsOf, type Rules } from "./rules";

/** Clicks within this time go in one command: a round has room for a limited number of them. */
const COLLECT_MS = 260;
const BUY_IN_UNITS = 100;
const BETS_MAX = 20;

export interface Place {
  readonly box: number;
  readonly spot: string;
}

export interface BettingWorld {
  readonly session: Session;
  readonly follower: Follower;
  /** The player's part in the cards, which goes with the bets. */
  readonly part: Part;
  view(): TableView | undefined;
  rules(): Rules;
  wallet(): number;
  me(): string;
  /** Something could not be so: a sentence, and the spot that it is about. */
  explain(sentence: string, at?: Place): void;
  refused(refusal: Refusal): void;
  clicked(): void;
}

const key = ({ box, spot }: Place) => `${box} ${spot}`;
const newCommand = () => Array.from({ length: 24 }, () => "0123456789abcdef"[Math.floor(Math.random() * 16)]).join("");

export class Betting {
  /** Whether a chip rides on the cursor; without one a click takes a chip back. */
  holding = $state(true);
  /** Boxes that were asked for and have not been given yet. */
  taking: readonly number[] = $state.raw([]);
  private wanted: ReadonlyMap<string, { at: Place; amount: number }> = $state.raw(new Map());
  private piles = new Map<string, number[]>();
  private last: readonly (Place & { amount: number })[] = $state.raw([]);
  private timer: ReturnType<typeof setTimeout> | undefined;
  private sending: Promise<void> | undefined;
  private readonly sitting = new Map<number, Promise<boolean>>();

  constructor(private readonly world: BettingWorld) {}

  get chip(): number {
    const chips = this.world.rules().chips;
    return chips[Math.min(prefs.chip, chips.length - 1)]!;
  }

  get open(): boolean {
    const phase = this.world.view()?.phase;
    return phase === "betting";
  }

  isMine(box: number): boolean {
    return this.world.view()?.boxes[box - 1] === this.world.me() || this.taking.includes(box);
  }

  amount(at: Place): number {
    return this.wanted.get(key(at))?.amount ?? this.laid(at);
  }

  pile(at: Place): number[] {
    return pileFor(this.amount(at), this.piles.get(key(at)), this.world.rules().chips);
  }

  /** All that this player has in bets, as shown. */
  get total(): number {
    const view = this.world.view();
    if (!view) return 0;
    const placed = view.bets.filter((bet) => view.boxes[bet.box - 1] === this.world.me());
    const rest = placed.filter((bet) => !this.wanted.has(key(bet))).reduce((sum, bet) => sum + bet.amount, 0);
    return rest + [...this.wanted.values()].reduce((sum, one) => sum + one.amount, 0);
  }

  /** What own clicks take from the balance before the table has answered. */
  get ahead(): number {
    return [...this.wanted.values()].reduce((sum, one) => sum + one.amount - this.laid(one.at), 0);
  }

  get canRebet(): boolean {
    return this.open && this.last.some((bet) => this.isMine(bet.box)) && this.total === 0;
  }

  /** A click on a spot: one chip more, or with an empty hand the last one back. */
  click(at: Place): void {
    if (this.holding) this.add(at);
    else this.takeBack(at);
  }

  add(at: Place): void {
    const w = words();
    if (!this.open) return this.world.explain(w.limit.closed, at);
    const view = this.world.view()!;
    const holder = view.boxes[at.box - 1];
    if (holder && holder !== this.world.me()) return this.world.explain(w.limit.taken, at);
    if (this.isBonus(at) && this.amount({ box: at.box, spot: "main" }) === 0) return this.world.explain(w.limit.bonusFirst, at);
    const chip = this.chip;
    const [low, high] = limitsOf(this.world.rules(), at.spot);
    const before = this.amount(at);
    let after = before + chip;
    if (after > high) {
      after = high - (high % this.world.rules().chips[0]!);
      this.world.explain(w.limit.max(spotName(at.spot), chipsText(high)), at);
    }
    if (after < low) {
      after = low;
      this.world.explain(w.limit.min(spotName(at.spot), chipsText(low)), at);
    }
    if (after - before > this.funds()) return this.world.explain(w.limit.money, at);
    if (after === before) return;
    this.piles.set(key(at), after - before === chip ? [...this.pile(at), chip] : []);
    this.set(at, after);
    if (!holder) void this.takeBox(at.box);
  }

  takeBack(at: Place): void {
    if (!this.open) return this.world.explain(words().limit.closed, at);
    if (!this.isMine(at.box) || this.amount(at) === 0) return this.world.explain(words().limit.nothingThere, at);
    const pile = this.pile(at);
    const [low] = limitsOf(this.world.rules(), at.spot);
    const after = this.amount(at) - (pile.pop() ?? 0);
    this.piles.set(key(at), pile);
    this.set(at, after < low ? 0 : after);
    if (at.spot === "main" && after < low) this.dropBonuses(at.box);
  }

  clear(): void {
    const view = this.world.view();
    if (!view || !this.open) return;
    for (const bet of view.bets) if (this.isMine(bet.box)) this.set(bet, 0);
    for (const one of [...this.wanted.values()]) this.set(one.at, 0);
  }

  rebet(): void {
    if (!this.open) return this.world.explain(words().limit.closed);
    if (!this.last.length) return this.world.explain(words().limit.noRebet);
    let funds = this.funds();
    for (const bet of this.last) {
      if (!this.isMine(bet.box) || bet.amount > funds) continue;
      if (this.isBonus(bet) && this.amount({ box: bet.box, spot: "main" }) === 0) continue;
      funds -= bet.amount;
      this.set(bet, bet.amount);
    }
    if (this.total === 0) this.world.explain(words().limit.money);
  }

  /** Everything that was clicked is on the table, or refused, when this returns. */
  async settle(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    while (this.sending) await this.sending;
    if (this.changes().length) await this.send();
  }

  /** Sit down at a box, with chips to play with. */
  takeBox(box: number): Promise<boolean> {
    const known = this.sitting.get(box);
    if (known) return known;
    const sits = this.sitDown(box).finally(() => this.sitting.delete(box));
    this.sitting.set(box, sits);
    return sits;
  }

  private async sitDown(box: number): Promise<boolean> {
    this.taking = [...this.taking, box];
    try {
      await this.world.follower.play({ t: "TakeBox", box });
      await this.buyIn(BUY_IN_UNITS * this.world.rules().main_min - this.stack());
      return true;
    } catch (wrong) {
      this.forget((at) => at.box === box);
      this.tell(wrong);
      return false;
    } finally {
      this.taking = this.taking.filter((one) => one !== box);
    }
  }

  /** Chips from the wallet, as far as it goes. */
  async buyIn(wished: number): Promise<void> {
    const amount = Math.min(wished, this.world.wallet());
    if (amount <= 0) return;
    await this.world.session.ask({ t: "BuyIn", command: newCommand(), table: this.world.follower.table, amount });
  }

  /** The table has moved on: bets that lie there as wished are the table's to tell, and after the close all are. */
  caughtUp(view: TableView): void {
    if (view.phase !== "betting") {
      this.piles.clear();
      return this.forget(() => true);
    }
    if (!this.sending) this.forget((at, amount) => this.laid(at) === amount);
  }

  closed(bets: readonly (Place & { amount: number })[]): void {
    if (bets.length) this.last = bets;
  }

  private set(at: Place, amount: number): void {
    const { box, spot } = at;
    this.wanted = new Map(this.wanted).set(key(at), { at: { box, spot }, amount });
    this.world.clicked();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.settle(), COLLECT_MS);
  }

  private isBonus(at: Place): boolean {
    return at.spot === "blackjack" || at.spot === "sevens";
  }

  private dropBonuses(box: number): void {
    for (const spot of ["blackjack", "sevens"]) if (this.amount({ box, spot }) > 0) this.set({ box, spot }, 0);
  }

  private laid(at: Place): number {
    return this.world.view()?.bets.find((bet) => bet.box === at.box && bet.spot === at.spot)?.amount ?? 0;
  }

  private stack(): number {
    return this.world.view()?.players.find((one) => one.player === this.world.me())?.stack ?? 0;
  }

  private funds(): number {
    return this.world.wallet() + this.stack() - this.ahead;
  }

  private changes(): (Place & { amount: number })[] {
    return [...this.wanted.values()].filter(({ at, amount }) => amount !== this.laid(at)).map(({ at, amount }) => ({ ...at, amount }));
  }

  private send(): Promise<void> {
    this.sending = this.place().finally(() => {
      this.sending = undefined;
      const view = this.world.view();
      if (view) this.caughtUp(view);
    });
    return this.sending;
  }

  private async place(): Promise<void> {
    await Promise.all(this.sitting.values());
    const bets = this.changes().slice(0, BETS_MAX);
    if (!bets.length || !this.open) return this.forget(() => !this.open);
    try {
      const more = bets.reduce((sum, bet) => sum + bet.amount - this.laid(bet), 0);
      if (more > this.stack()) await this.buyIn(Math.max(more - this.stack(), BUY_IN_UNITS * this.world.rules().main_min));
      await this.lay(bets);
    } catch (wrong) {
      const sent = new Set(bets.map(key));
      this.forget((at) => sent.has(key(at)));
      this.tell(wrong, bets.at(-1));
    }
  }

  /** As they lie there after the store went back: bound anew, for what they were bound to may be known by now. */
  async layAgain(): Promise<void> {
    const lying = (this.world.view()?.bets ?? []).filter((bet) => this.isMine(bet.box));
    try {
      if (this.open && lying.length) await this.lay(lying.map(({ box, spot, amount }) => ({ box, spot, amount })));
    } catch (wrong) {
      this.tell(wrong);
    }
  }

  /** Again, where the round for which they were bound went by without them. */
  private async lay(bets: readonly (Place & { amount: number })[]): Promise<void> {
    for (let tries = 0; tries < 2; tries++) {
      const view = this.world.view();
      const commitment = view && this.world.part.commitment(view);
      await this.world.follower.play({ t: "PlaceBets", bets, ...(commitment ? { commitment } : {}) });
      const after = this.world.view();
      if (!after || !this.world.part.misbound(after)) return;
    }
  }

  private forget(which: (at: Place, amount: number) => boolean): void {
    const kept = [...this.wanted].filter(([, one]) => !which(one.at, one.amount));
    if (kept.length !== this.wanted.size) this.wanted = new Map(kept);
  }

  private tell(wrong: unknown, at?: Place): void {
    if (!(wrong instanceof Refusal)) return;
    this.world.refused(wrong);
    if (at) this.world.explain(refusalText(wrong), at);
  }
}

/** A refusal in the reader's words, with the amounts that it names. */
export function refusalText(refusal: Refusal): string {
  return refusalWords(refusal.frame.code, refusal.frame.message, refusal.frame.detail);
}
