/** This player's part in the cards: random bytes for each round with a bet, bound by their commitment, revealed after the close.
 * All of it happens unseen. They are never made anew for a round once something was said of them. */

import type { Event, TableView } from "$tapete";
import { playerCommitment } from "../proof/fair";
import { fromHex, hex, sameBytes } from "../wire/chain";
import { type Shelf, forgetGiven, keepGiven } from "./given";

export const ENTROPY_BYTES = 32;
export const ROUNDS_KEPT_MAX = 64;

/** What was given to a round, of which the house had published the commitment `house`. `sent_at`: store time in milliseconds,
 * 0 before; `taken`: the node has acknowledged it. */
export interface Given {
  readonly player: string;
  readonly round: number;
  readonly house: string;
  readonly entropy: Uint8Array;
  sent_at: number;
  taken: boolean;
}

export interface PartWorld {
  me(): string;
  /** The store's time. */
  now(): number;
  /** Until the node has taken the bytes; raises where it does not. */
  reveal(round: number, entropy: Uint8Array): Promise<unknown>;
  /** The house says that it did not get what was sent `early_ms` before it said so; `taken`: it had acknowledged it. */
  denied(round: number, early_ms: number, taken: boolean): void;
}

const ofTheSystem = (size: number): Uint8Array => crypto.getRandomValues(new Uint8Array(size));

/** At one table. `shelf` keeps the bytes over a reload of the page; `told` what was given, for whoever checks the round. */
export class Part {
  private given: Given[];
  private readonly revealing = new Set<Given>();

  constructor(
    private readonly table: string,
    private readonly world: PartWorld,
    private readonly shelf: Shelf,
    private readonly told: Shelf,
    private readonly fresh: (size: number) => Uint8Array = ofTheSystem,
  ) {
    this.given = readGiven(shelf.read());
  }

  /** For a bet in the round of `view`; undefined at a table without reveals. What was sent already is known: where bets are open
   * again the store went back, and it is no use any more. */
  commitment(view: TableView): Uint8Array | undefined {
    if ((JSON.parse(view.settings || "{}") as { reveals?: unknown }).reveals !== true) return undefined;
    const known = this.of(view.round);
    if (known && !known.sent_at) return this.bound(known);
    if (known) forgetGiven(this.told, known.entropy);
    const made: Given = { player: this.world.me(), round: view.round, house: hex(view.commitment), entropy: this.fresh(ENTROPY_BYTES), sent_at: 0, taken: false };
    this.given = [...this.given.filter((one) => one !== known), made].slice(-ROUNDS_KEPT_MAX);
    this.keep();
    return this.bound(made);
  }

  /** Bets are open, and what the table has of this player was made for an earlier round, which nobody could reveal; or it was
   * revealed before the store went back. */
  misbound(view: TableView): boolean {
    const there = view.contributions.find((one) => one.player === this.world.me());
    if (view.phase !== "betting" || !there) return false;
    const known = this.of(view.round);
    return !known || known.sent_at > 0 || !sameBytes(there.commitment, this.bound(known));
  }

  /** The table as it stands now: whatever is due is revealed, over and over until the house has it. */
  see(view: TableView): void {
    const given = this.due(view);
    if (given && !this.revealing.has(given)) void this.reveal(given);
  }

  /** What just happened, and when. */
  hear(event: Event, at: number): void {
    if (event.t !== "EntropyClosed" || !event.missing.includes(this.world.me())) return;
    const given = this.of(event.round);
    if (given?.sent_at) this.world.denied(event.round, Math.max(0, at - given.sent_at), given.taken);
  }

  /** Bets are closed, the table is bound to these very bytes, and has not got them. Who did not bind it has nothing to say. */
  private due(view: TableView): Given | undefined {
    const given = this.of(view.round);
    if (!given || view.phase !== "closing") return undefined;
    const there = view.contributions.find((one) => one.player === given.player);
    return there && !there.entropy && sameBytes(there.commitment, this.bound(given)) ? given : undefined;
  }

  private async reveal(given: Given): Promise<void> {
    this.revealing.add(given);
    given.sent_at ||= this.world.now();
    this.keep();
    keepGiven(this.told, { table: this.table, round: given.round, house: given.house, entropy: hex(given.entropy) });
    try {
      await this.world.reveal(given.round, given.entropy);
      given.taken = true;
      this.keep();
    } catch {
      return; // too late, or the session is over: the end of the window tells
    } finally {
      this.revealing.delete(given);
    }
  }

  private of(round: number): Given | undefined {
    return this.given.find((one) => one.round === round && one.player === this.world.me());
  }

  private bound({ player, round, entropy }: Given): Uint8Array {
    return playerCommitment(this.table, round, player, entropy);
  }

  private keep(): void {
    this.shelf.write(JSON.stringify(this.given.map((one) => ({ ...one, entropy: hex(one.entropy) }))));
  }
}

function readGiven(kept: string | null): Given[] {
  try {
    const found = JSON.parse(kept ?? "[]") as (Omit<Given, "entropy"> & { entropy: string })[];
    return found.map((one) => ({ ...one, entropy: fromHex(one.entropy) })).filter((one) => one.entropy.length === ENTROPY_BYTES);
  } catch {
    return [];
  }
}
