/** A coup of Punto Banco, as the events that have to come (seeds 000, 001 and 002). */

import type { BoxBets } from "../bets";
import type { ShoeState } from "../cards";
import { type PuntoBanco, won } from "../settings";
import { cardsIn, fullShoe } from "../shoe";
import { Unproven } from "../unproven";
import type { Felt } from "./felt";
import { pips, puntoTotal } from "./hands";
import { bancaDraws, puntoDraws } from "./tableaux";

type Side = "punto" | "banca";
const NATURAL = 8;
const BURNT_BY_TENS = 10;

/** Where the shoe stands after the coup. */
export interface After {
  readonly coup: number;
  readonly last_coup?: number;
}

export class Coup {
  readonly #cards: Record<Side, string[]> = { punto: [], banca: [] };
  #left = 0;
  #coup = 0;
  #last?: number;

  constructor(
    readonly felt: Felt,
    readonly settings: PuntoBanco,
    readonly bets: readonly BoxBets[],
  ) {}

  /** Raises `Void` where it was never dealt. */
  play(shoe: ShoeState | undefined): After {
    const first = this.felt.await();
    const known = shoe && shoe.coup !== 0 && shoe.coup !== shoe.last_coup;
    if (known) [this.#left, this.#coup, this.#last] = [cardsIn(shoe.left), shoe.coup, shoe.last_coup];
    else if (shoe || first.t === "ShoeOpened") this.#open();
    else throw new Unproven("start.left", "shoe_unknown");
    for (const side of ["punto", "banca", "punto", "banca"] as const) this.#deal(side);
    if (!this.#natural()) this.#thirds();
    this.#decide();
    return { coup: this.#coup + 1, ...(this.#last === undefined ? {} : { last_coup: this.#last }) };
  }

  #open(): void {
    this.felt.expect("ShoeOpened", { decks: this.settings.decks });
    this.#left = cardsIn(fullShoe(this.settings.decks));
    if (!this.settings.burn) return;
    const turned = this.felt.expect("CardBurnt", {});
    const more = pips(turned.card) % BURNT_BY_TENS || BURNT_BY_TENS;
    for (let burnt = 0; burnt < more; burnt++) this.felt.expect("CardBurnt", {});
    this.#left -= 1 + more;
  }

  #deal(side: Side): void {
    this.#cutCard();
    const fact = this.felt.peek();
    if (fact.t === "CardDealt") this.#cards[side].push(fact.card);
    this.felt.expect("CardDealt", { place: side, box: 0, hand: 0, total: puntoTotal(this.#cards[side]), soft: false });
    this.#left -= 1;
  }

  #cutCard(): void {
    if (this.#last !== undefined || this.#left > this.settings.cut_card) return;
    const more = this.#cards.punto.length > 0 ? 1 : 0;
    this.felt.expect("CutCardShown", { last_coups: more });
    this.#last = this.#coup + 1 + more;
  }

  #natural(): boolean {
    return puntoTotal(this.#cards.punto.slice(0, 2)) >= NATURAL || puntoTotal(this.#cards.banca.slice(0, 2)) >= NATURAL;
  }

  #thirds(): void {
    const { punto, banca } = this.#cards;
    this.#third("punto", puntoTotal(punto), -1, puntoDraws(puntoTotal(punto)));
    const third = punto[2];
    const column = third === undefined ? -1 : this.settings.tableau === "reglamento" ? pips(third) % 10 : puntoTotal(punto);
    this.#third("banca", puntoTotal(banca), column, bancaDraws(this.settings.tableau, puntoTotal(banca), column));
  }

  #third(side: Side, row: number, column: number, draws: boolean): void {
    this.felt.expect("ThirdCardDecided", { side, draws, row, column });
    if (draws) this.#deal(side);
  }

  #decide(): void {
    const [punto, banca] = [puntoTotal(this.#cards.punto), puntoTotal(this.#cards.banca)];
    const winner = punto === banca ? "tie" : punto > banca ? "punto" : "banca";
    const pairs = { punto_pair: isPair(this.#cards.punto), banca_pair: isPair(this.#cards.banca) };
    this.felt.expect("CoupDecided", { winner, punto, banca, natural: this.#natural(), ...pairs });
    const wins = { punto: winner === "punto", banca: winner === "banca", tie: winner === "tie", ...pairs };
    for (const box of this.bets) this.#settle(box, wins, winner === "tie", banca);
    this.felt.finish(winner);
  }

  #settle({ box, player, stakes }: BoxBets, wins: Readonly<Record<string, boolean>>, tie: boolean, banca: number): void {
    let [staked, back] = [0, 0];
    for (const { spot, amount } of stakes) {
      const push = tie && (spot === "punto" || spot === "banca");
      const returned = push ? amount : wins[spot] ? won(amount, this.#odds(spot, banca)) : 0;
      this.felt.expect("SpotSettled", { box, spot, outcome: push ? "push" : wins[spot] ? "win" : "lose", stake: amount, returned });
      staked += amount;
      back += returned;
    }
    this.felt.expect("BoxSettled", { box, owner: player, staked, returned: back });
  }

  #odds(spot: string, banca: number): readonly [number, number] {
    const { settings } = this;
    if (spot === "punto") return settings.punto_odds;
    if (spot === "tie") return settings.tie_odds;
    if (spot !== "banca") return settings.pair_odds;
    const [part, whole] = settings.commission_rate;
    return settings.commission ? [whole - part, whole] : banca === 6 ? settings.banca_six_odds : [1, 1];
  }
}

const isPair = (cards: readonly string[]): boolean => cards[0]![0] === cards[1]![0];
