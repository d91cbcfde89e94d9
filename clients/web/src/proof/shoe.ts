/** The cards left in a shoe, and how a word of the stream takes one of them. */

export const RANKS = "A23456789TJQK";
export const SUITS = "CDHS";
export const CARDS = [...SUITS].flatMap((suit) => [...RANKS].map((rank) => rank + suit));
/** All 52, in the order in which a shoe is laid out. */

const WORDS = 2 ** 32;

/** How a card came: the words that were looked at (all but the last one passed over), and its place among those left. */
export interface Draw {
  readonly card: string;
  readonly passedOver: readonly number[];
  readonly word: number;
  /** Words used so far in the round. */
  readonly used: number;
  readonly place: number;
  readonly left: number;
}

export const fullShoe = (decks: number): number[] => CARDS.map(() => decks);

export const cardsIn = (shoe: readonly number[]): number => shoe.reduce((sum, count) => sum + count, 0);

/** Deals from a shoe of the caller's, which loses each card. Undefined when shoe or stream have nothing more to give. */
export class Dealer {
  #used = 0;

  constructor(
    readonly words: Iterator<number, void>,
    public shoe: number[],
  ) {}

  next(): Draw | undefined {
    const left = cardsIn(this.shoe);
    if (left === 0) return undefined;
    const limit = WORDS - (WORDS % left);
    const passedOver: number[] = [];
    for (let word = this.words.next(); !word.done; word = this.words.next()) {
      this.#used += 1;
      if (word.value < limit) return this.#taken(word.value, passedOver, left);
      passedOver.push(word.value);
    }
    return undefined;
  }

  #taken(word: number, passedOver: readonly number[], left: number): Draw {
    const place = word % left;
    let before = 0;
    const kind = this.shoe.findIndex((count) => (before += count) > place);
    this.shoe[kind]! -= 1;
    return { card: CARDS[kind]!, passedOver, word, used: this.#used, place, left };
  }
}
