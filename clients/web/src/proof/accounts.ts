/** Who holds which box, and what is in whose stack, from the opening on. */

import type { Fact } from "./facts";
import type { Start } from "./record";
import { Unproven } from "./unproven";

export interface Books {
  readonly boxes: readonly (string | null)[];
  readonly stacks: readonly (readonly [string, number])[];
}

/** Folds events; `Unproven` where one cannot be. Without a start nothing is known of stacks, nor who holds a box. */
export class Accounts {
  readonly boxes: (string | null)[] = [];
  readonly stacks = new Map<string, number>();
  /** What lies on a box, by its spots or hands, and is not settled. */
  readonly #open = new Map<number, Map<string, number>>();

  constructor(start?: Start) {
    this.boxes.push(...(start?.boxes ?? []));
    for (const [player, amount] of start?.stacks ?? []) this.stacks.set(player, amount);
  }

  apply(fact: Fact): void {
    switch (fact.t) {
      case "BoxTaken":
        return this.#take(fact);
      case "BoxFreed":
        return this.#free(fact);
      case "ChipsIn":
        return this.#move(fact, fact.amount);
      case "ChipsOut":
        return this.#move(fact, -fact.amount);
      case "PlayerLeft":
        return this.#leave(fact);
      case "BetPlaced":
        return this.#bet(fact);
      case "StakeAdded":
        this.#add(fact.owner, -fact.amount);
        return this.#lay(fact.box, fact.where, fact.amount);
      case "BoxSettled":
        this.#open.delete(fact.box);
        return this.#add(fact.owner, fact.returned);
      case "RoundVoided":
        return this.#giveBack();
      default:
    }
  }

  stack(player: string): number {
    return this.stacks.get(player) ?? 0;
  }

  /** What a record's start would say now. */
  books(): Books {
    const holders = [...new Set(this.boxes.filter((holder): holder is string => holder !== null))];
    return { boxes: [...this.boxes], stacks: holders.map((player) => [player, this.stack(player)] as const) };
  }

  #take({ box, player, where }: Fact<"BoxTaken">): void {
    if (this.boxes[box - 1] !== null) throw new Unproven(`${where}.box`, "not_the_holder", String(box), this.boxes[box - 1] ?? "");
    this.boxes[box - 1] = player;
    this.#add(player, 0);
  }

  #free({ box, player, where }: Fact<"BoxFreed">): void {
    if (this.boxes[box - 1] !== player) throw new Unproven(`${where}.player`, "not_the_holder", player, this.boxes[box - 1] ?? "");
    this.boxes[box - 1] = null;
  }

  #move({ player, where }: Fact<"ChipsIn" | "ChipsOut">, amount: number): void {
    if (!this.stacks.has(player)) throw new Unproven(`${where}.player`, "not_the_holder", player);
    this.#add(player, amount);
  }

  #leave({ player, where }: Fact<"PlayerLeft">): void {
    if (!this.stacks.has(player)) throw new Unproven(`${where}.player`, "not_the_holder", player);
    if (this.stack(player) !== 0) throw new Unproven(`${where}.player`, "differs", String(this.stack(player)), "0");
    this.stacks.delete(player);
  }

  #bet({ box, player, spot, amount }: Fact<"BetPlaced">): void {
    const before = this.#open.get(box)?.get(spot) ?? 0;
    this.#add(player, before - amount);
    this.#lay(box, spot, amount);
  }

  #add(player: string, amount: number): void {
    this.stacks.set(player, this.stack(player) + amount);
  }

  #lay(box: number, on: string, amount: number): void {
    this.#open.set(box, (this.#open.get(box) ?? new Map<string, number>()).set(on, amount));
  }

  #giveBack(): void {
    for (const [box, stakes] of this.#open) {
      const holder = this.boxes[box - 1];
      if (holder) for (const amount of stakes.values()) this.#add(holder, amount);
    }
    this.#open.clear();
  }
}
