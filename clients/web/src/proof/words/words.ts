/** All that the page of the check says, in one language. A language that lacks a word does not compile. */

import type { Check } from "../prove";
import type { Fault } from "../unproven";

type Say1 = (one: string) => string;
type Say2 = (one: string, two: string) => string;
type Count = (n: number, shown: string) => string;

export interface ProofWords {
  title: string;
  tabTitle: Say1;
  back: string;
  language: string;
  /** What is being looked for, and what came of it. */
  looking: string;
  reading: string;
  proven: Say2;
  failed: Say2;
  void: string;
  summary: (cards: string, parts: string, payments: string) => string;
  cardsTold: Count;
  partsTold: (players: number) => string;
  paymentsTold: Count;
  failedAt: Say1;
  nothing: string;
  nothingThere: string;
  nothingYet: string;
  noRecord: Say2;
  noNode: string;
  aSavedPage: string;
  tooBig: Say1;

  source: string;
  link: string;
  linkHint: string;
  badLink: string;
  go: string;
  file: string;
  drop: string;
  dropHere: string;
  keep: string;
  saveRecord: string;
  savePage: string;
  wholeShoe: string;
  wholeShoeHint: string;
  rounds: string;
  round: Say1;

  checks: string;
  check: Readonly<Record<Check, string>>;
  /** Where the record has nothing to check this by. */
  silent: Readonly<Partial<Record<Check, string>>>;
  firstRound: string;
  states: Readonly<Record<"proven" | "failed" | "idle" | "silent", string>>;
  found: {
    batches: Count;
    head: Say1;
    hash: Say1;
    bound: string;
    boxes: Count;
    revealed: (n: string, missing: string) => string;
    cards: (cards: string, words: string) => string;
    result: Say1;
    stacks: Count;
    joined: Say1;
    shoeProven: string;
    shoeWord: string;
  };

  cards: string;
  cardsHint: string;
  columns: Readonly<Record<"number" | "card" | "to" | "word" | "sum", string>>;
  burnt: string;
  dealer: string;
  box: Say1;
  hand: Say1;
  sides: Readonly<Record<"punto" | "banca" | "tie", string>>;
  results: Readonly<Record<string, string>>;
  passedOver: Say1;
  sum: (word: string, left: string, place: string) => string;

  parts: string;
  house: string;
  houseRole: string;
  role: Say1;
  missing: string;
  you: string;
  mine: string;
  mineMissing: string;
  mineGone: string;
  noParts: string;
  values: string;
  value: Readonly<Record<"commitment" | "secret" | "entropy" | "salt" | "closeHead" | "settingsHash" | "head", string>>;
  copyHead: string;
  copied: string;

  limits: string;
  limit: readonly string[];
  fault: Readonly<Record<Fault, Say2>>;
}
