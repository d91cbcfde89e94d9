/** The store's time, as far as this client knows it: countdowns are in it, whatever the computer's own clock says. */

export class StoreClock {
  private offset_ms = 0;

  constructor(private readonly local: () => number = () => performance.timeOrigin + performance.now()) {}

  /** An answer said what time it is. Answers come late and never early, so the largest offset of a while is the best. */
  hear(now: number): void {
    const offset = now - this.local();
    if (offset > this.offset_ms || this.offset_ms - offset > 250 || this.offset_ms === 0) this.offset_ms = offset;
    else this.offset_ms -= (this.offset_ms - offset) / 16;
  }

  now(): number {
    return Math.round(this.local() + this.offset_ms);
  }
}
