/** 7. The log held against the rules: a game says what has to come next, and the log has to say the same. */

import type { Accounts } from "../accounts";
import { type Fact, type Kind, type Says, isOnTheFelt } from "../facts";
import { Unproven, shown } from "../unproven";

/** Raised by `Felt.next` where the round ends void: a game waits there, or has not begun. */
export class Void extends Error {}

export class Felt {
  #at = 0;
  /** Players whose hands the house may stand: out of time, or leaving. */
  readonly #given = new Set<string>();
  /** Who stands on all, and who said so. */
  readonly standing = new Map<string, "player" | "house">();
  /** Whose turn it is. */
  turn?: string;
  /** Whether a player has a hand that is still open. */
  isIn: (player: string) => boolean = () => false;

  /** `accounts` is absent where the record says nothing of stacks. `heard` is told of each event that is not of the game, before it is folded. */
  constructor(
    readonly facts: readonly Fact[],
    readonly end: Fact<"RoundSettled" | "RoundVoided">,
    readonly accounts: Accounts | undefined,
    public heard: (fact: Fact) => void = () => undefined,
  ) {}

  /** The next event of the game, or the round's end. What comes before it is folded. */
  peek(): Fact {
    for (; this.#at < this.facts.length; this.#at++) {
      const fact = this.facts[this.#at]!;
      if (fact.t === "AllStood" && fact.by === "house") this.#standForOwner(fact);
      else if (isOnTheFelt(fact)) return fact;
      else if (fact.t === "PlayerTimedOut" || fact.t === "PlayerLeaving") this.#giveUp(fact);
      this.heard(fact);
      this.accounts?.apply(fact);
    }
    return this.end;
  }

  /** As `peek`, where a round may end void. */
  await(): Fact {
    const fact = this.peek();
    if (fact.t === "RoundVoided") throw new Void();
    return fact;
  }

  take(): void {
    const fact = this.peek();
    if (fact === this.end) return;
    if (fact.t === "AllStood") this.#stand(fact, "player");
    this.accounts?.apply(fact);
    this.#at += 1;
  }

  /** Takes the next event, which has to be of this kind and say this. */
  expect<K extends Kind>(kind: K, says: Partial<Says<K>>): Fact<K> {
    const fact = this.peek();
    if (fact.t !== kind) throw new Unproven(`${fact.where}.t`, "differs", fact.t, `${kind} ${shown(says)}`);
    for (const [name, wanted] of Object.entries(says)) {
      const found = (fact as unknown as Record<string, unknown>)[name];
      if (shown(found) !== shown(wanted)) throw new Unproven(`${fact.where}.${name}`, "differs", shown(found), shown(wanted));
    }
    this.take();
    return fact as Fact<K>;
  }

  /** The round settled, and nothing of the game is left over. */
  finish(result: string): void {
    const fact = this.peek();
    if (fact.t !== "RoundSettled") throw new Unproven(`${fact.where}.t`, "differs", fact.t, "RoundSettled");
    if (fact.result !== result) throw new Unproven(`${fact.where}.result`, "differs", fact.result, result);
  }

  #giveUp(fact: Fact<"PlayerTimedOut" | "PlayerLeaving">): void {
    if (fact.t === "PlayerTimedOut" && fact.player !== this.turn) throw new Unproven(`${fact.where}.player`, "differs", fact.player, this.turn);
    this.#given.add(fact.player);
  }

  #standForOwner(fact: Fact<"AllStood">): void {
    if (!this.#given.has(fact.owner)) throw new Unproven(`${fact.where}.owner`, "illegal", fact.owner, "PlayerTimedOut, PlayerLeaving");
    this.#stand(fact, "house");
  }

  #stand(fact: Fact<"AllStood">, by: "player" | "house"): void {
    if (this.standing.has(fact.owner)) throw new Unproven(`${fact.where}.owner`, "comes_twice", fact.owner);
    if (!this.isIn(fact.owner)) throw new Unproven(`${fact.where}.owner`, "out_of_place", fact.owner);
    this.standing.set(fact.owner, by);
  }
}
