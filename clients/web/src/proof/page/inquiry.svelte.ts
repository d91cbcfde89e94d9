/** What is being checked on the page: where its records come from, and the proofs. */

import { hex } from "../bytes";
import { type Proof, prove, proveAll } from "../prove";
import { recordsIn } from "../record";
import { Unproven } from "../unproven";

export const FILE_MB_MAX = 64;
/** As many rounds as are asked for, going back to the opening of a shoe. */
const ROUNDS_BACK_MAX = 150;
const LINK = /^(?:\/t|\/api\/rounds)\/([a-z0-9][a-z0-9-]{0,31})\/(\d{1,15})(?:\/check)?\/?$/;

export type Trouble = "noRecord" | "noNode" | "badLink" | "tooBig" | "aSavedPage";
export interface RoundLink {
  readonly table: string;
  readonly round: number;
}

/** A page that was saved has no node behind it. */
export const isSaved = (): boolean => !location.protocol.startsWith("http");

/** A link to a round of this node, whole or its path alone. */
export function linkIn(words: string): RoundLink | undefined {
  const here = isSaved() ? "http://node" : location.origin;
  if (!URL.canParse(words.trim(), here)) return undefined;
  const url = new URL(words.trim(), here);
  const [, table, round] = (url.origin === here && LINK.exec(url.pathname)) || [];
  return table ? { table, round: Number(round) } : undefined;
}

export class Inquiry {
  proofs: readonly Proof[] = $state.raw([]);
  chosen = $state(0);
  busy: "" | "looking" | "reading" = $state("");
  trouble: Trouble | undefined = $state();
  link: RoundLink | undefined = $state.raw();
  /** Why a file could not be taken for records at all. */
  refused: Unproven | undefined = $state.raw();
  /** As they came. */
  #records: readonly unknown[] = [];
  #turn = 0;

  get proof(): Proof | undefined {
    return this.proofs[this.chosen];
  }

  async open(file: Blob): Promise<void> {
    const turn = this.#begin("reading");
    if (file.size > FILE_MB_MAX * 1e6) return this.#stop("tooBig");
    const bytes = new Uint8Array(await file.arrayBuffer());
    if (turn !== this.#turn) return;
    try {
      this.#prove(recordsIn(bytes));
    } catch (wrong) {
      if (!(wrong instanceof Unproven)) throw wrong;
      this.refused = wrong;
      this.busy = "";
    }
  }

  /** The round and the one before it; or all from the one that opened its shoe. */
  async ask(link: RoundLink | undefined, wholeShoe = false): Promise<void> {
    const turn = this.#begin("looking");
    if (isSaved() || !link) return this.#stop(isSaved() ? "aSavedPage" : "badLink");
    this.link = link;
    try {
      const records = await fetchBack(link, wholeShoe);
      if (turn !== this.#turn) return;
      if (records.length === 0) this.#stop("noRecord");
      else this.#prove(records);
    } catch {
      if (turn === this.#turn) this.#stop("noNode");
    }
  }

  /** What was checked, as JSON: one record, or the list of them. */
  file(): Blob {
    const what = this.#records.length === 1 ? this.#records[0] : this.#records;
    const plain = JSON.stringify(what, (_, value: unknown) => (value instanceof Uint8Array ? hex(value) : value));
    return new Blob([plain], { type: "application/json" });
  }

  #begin(busy: "looking" | "reading"): number {
    [this.busy, this.trouble, this.refused, this.link] = [busy, undefined, undefined, undefined];
    return ++this.#turn;
  }

  #stop(trouble: Trouble): void {
    [this.trouble, this.busy, this.proofs] = [trouble, "", []];
  }

  #prove(records: readonly unknown[]): void {
    const proofs = proveAll(records);
    const wrong = proofs.findIndex((proof) => proof.failure);
    [this.proofs, this.chosen, this.busy, this.#records] = [proofs, wrong < 0 ? proofs.length - 1 : wrong, "", records];
  }
}

async function fetchBack({ table, round }: RoundLink, wholeShoe: boolean): Promise<unknown[]> {
  const found: unknown[] = [];
  for (let back = 0; back <= (wholeShoe ? ROUNDS_BACK_MAX : 1) && round - back > 0; back++) {
    const record = await fetchOne(table, round - back);
    if (record === undefined) break;
    found.unshift(record);
    if (wholeShoe && prove(record).deal?.opensShoe) break;
  }
  return found;
}

async function fetchOne(table: string, round: number): Promise<unknown> {
  const answer = await fetch(`/api/rounds/${table}/${round}`);
  if (answer.status === 404) return undefined;
  if (!answer.ok) throw new Error(String(answer.status));
  return answer.json();
}
