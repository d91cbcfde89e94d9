/** Where things lie, read all at once. Each reading after a change makes the browser lay out the page: so everything that is to
 * move is looked at first, when the change is complete, and only then set in motion. */

class Readings {
  private unread: (() => void)[] = [];

  /** What `read` finds once the change is complete, to be asked for then. */
  later<T>(read: () => T): () => T {
    let found: { readonly value: T } | undefined;
    this.unread.push(() => {
      found = { value: read() };
    });
    return () => {
      if (!found) this.readAll();
      return found!.value;
    };
  }

  /** Does something with what `read` finds once the change is complete, and before it is drawn. */
  then<T>(read: () => T, use: (found: T) => void): void {
    const found = this.later(read);
    queueMicrotask(() => use(found()));
  }

  private readAll(): void {
    const unread = this.unread;
    this.unread = [];
    for (const read of unread) read();
  }
}

export const readings = new Readings();
