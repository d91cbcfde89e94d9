/** One connection to a node: commands out with a number each, and the answer to each number. */

import { type Ack, type Command, LIMITS, type Refused, SUBPROTOCOL, type Welcome } from "$tapete";
import { BadFrame, type Read, readFrame, writeCommand } from "./codec";
import { ANSWER_MS_MAX } from "./patience";

/** A command without its number. */
export type Order<C extends Command = Command> = C extends Command ? Omit<C, "id"> : never;
export type Answer = Ack | Refused | Welcome;

/** The connection broke before the answer came. */
export class Lost extends Error {
  constructor(readonly code: number) {
    super(`the connection is gone (${code})`);
  }
}

const BROKEN = 1006;
const BAD_FRAME = 4500;

export interface LineEvents {
  read(read: Read, bytes: Uint8Array): void;
  lost(code: number): void;
}

/** Opened when it is made. `lost` comes once, and then nothing any more. */
export class Line {
  private readonly socket: WebSocket;
  private readonly open = new Map<number, { answer(answer: Answer): void; lose(lost: Lost): void }>();
  private readonly ready: Promise<void>;
  private last = 0;
  private gone: Lost | undefined;
  private silence: ReturnType<typeof setTimeout> | undefined;

  constructor(
    url: string,
    private readonly events: LineEvents,
    Socket: typeof WebSocket = WebSocket,
  ) {
    this.socket = new Socket(url, SUBPROTOCOL);
    this.socket.binaryType = "arraybuffer";
    this.ready = new Promise((resolve) => this.socket.addEventListener("open", () => resolve()));
    this.socket.addEventListener("message", (message) => this.receive(message.data));
    this.socket.addEventListener("close", (event) => this.lose(event.code));
    this.watchSilence(ANSWER_MS_MAX);
  }

  /** Send a command and wait for its answer. Raises `Lost`. */
  async ask(order: Order): Promise<Answer> {
    await Promise.race([this.ready, new Promise<void>((resolve) => this.gone && resolve())]);
    if (this.gone) throw this.gone;
    const id = ++this.last;
    return new Promise<Answer>((resolve, reject) => {
      const late = setTimeout(() => this.giveUp(BROKEN), ANSWER_MS_MAX);
      const settle = () => {
        clearTimeout(late);
        this.open.delete(id);
      };
      this.open.set(id, {
        answer: (answer) => (settle(), resolve(answer)),
        lose: (lost) => (settle(), reject(lost)),
      });
      this.socket.send(writeCommand({ ...order, id } as Command));
    });
  }

  /** Treat the connection as broken, now. */
  giveUp(code = BROKEN): void {
    this.socket.close();
    this.lose(code);
  }

  private receive(data: unknown): void {
    if (this.gone) return;
    this.watchSilence(LIMITS.SILENCE_MS_MAX);
    if (!(data instanceof ArrayBuffer)) return this.giveUp(BAD_FRAME);
    const bytes = new Uint8Array(data);
    let read: Read;
    try {
      read = readFrame(bytes);
    } catch (wrong) {
      if (wrong instanceof BadFrame) return this.giveUp(BAD_FRAME);
      throw wrong;
    }
    this.events.read(read, bytes);
    if (read.kind === "frame" && "id" in read.frame && read.frame.t !== "Advice") this.open.get(read.frame.id)?.answer(read.frame);
  }

  private watchSilence(ms: number): void {
    clearTimeout(this.silence);
    this.silence = setTimeout(() => this.giveUp(BROKEN), ms);
  }

  private lose(code: number): void {
    if (this.gone) return;
    clearTimeout(this.silence);
    this.gone = new Lost(code);
    for (const one of [...this.open.values()]) one.lose(this.gone);
    this.events.lost(code);
  }
}
