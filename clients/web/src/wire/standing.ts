/** Where a player stands in the numbering of commands at a table: the next one carries `stint` and `seq` + 1. */

import type { Batch, Place, Refused, TableView } from "$tapete";

export class Standing {
  stint = 0;
  seq = 0;
  control = true;

  place(frame: Place): void {
    ({ stint: this.stint, seq: this.seq, control: this.control } = frame);
  }

  batch(frame: Batch, player: string): void {
    if (frame.by?.player === player) this.seq = Math.max(this.seq, frame.by.seq);
    for (const event of frame.events) {
      if (event.t === "BoxTaken" && event.player === player) this.stint = event.stint;
      if (event.t === "PlayerLeft" && event.player === player) this.stint = this.seq = 0;
    }
  }

  /** Nobody's numbering outlives their stay at the table. */
  snapshot(view: TableView, player: string): void {
    if (!view.players.some((one) => one.player === player)) this.stint = this.seq = 0;
  }

  acked(stint: number, seq: number): void {
    if (stint === this.stint) this.seq = Math.max(this.seq, seq);
  }

  /** The node refused a number and says which one it is at: the next command will fit. */
  stale(refused: Refused): void {
    const { stint, seq } = refused.detail;
    if (typeof stint === "number" && typeof seq === "number") Object.assign(this, { stint, seq });
  }
}
