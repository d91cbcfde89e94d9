/** A client's copy of a table: batches folded in as they come, each checked against the chain. */

import type { Batch, Snapshot, TableView } from "$tapete";
import { reduceAll } from "../reduce";
import { nextHead, sameBytes } from "./chain";

export type Joined = "joined" | "old" | "apart";

export class Mirror {
  view: TableView | undefined;
  version = -1;
  head: Uint8Array = new Uint8Array();

  get since(): { version: number; head: Uint8Array } | undefined {
    return this.view && { version: this.version, head: this.head };
  }

  /** `apart`: it does not follow on what is here; ask again. */
  batch(frame: Batch, bytes: Uint8Array): Joined {
    if (!this.view || frame.v > this.version + 1) return "apart";
    if (frame.v <= this.version) return "old";
    if (!sameBytes(frame.prev, this.head)) return "apart";
    this.view = reduceAll(this.view, frame.events);
    this.version = frame.v;
    this.head = nextHead(frame.prev, bytes);
    return "joined";
  }

  snapshot(frame: Snapshot): void {
    this.view = frame.view;
    this.version = frame.v;
    this.head = frame.head;
  }

  distrust(): void {
    this.view = undefined;
    this.version = -1;
  }
}
