import { BroadcastChannel } from 'node:worker_threads';
import { MAILBOX_UNITS } from './mailbox-source.js';

const BYTES = 8 + 2 * MAILBOX_UNITS;
/** Units made into a text at once: each is an argument. */
const PART = 4096;

/** The reading end of what `MAILBOX_SOURCE` makes in another thread of this process. */
export interface Mailbox {
  /** The texts that were posted since, the oldest first, no more than so many. What makes no sense is dropped. */
  read(most: number): readonly string[];
}

export function createMailbox(memory: SharedArrayBuffer): Mailbox {
  const counts = new Int32Array(memory, 0, 2);
  const units = new Uint16Array(memory, 8);
  const unit = (at: number) => units[at & (MAILBOX_UNITS - 1)] ?? 0;

  function textAt(start: number, length: number): string {
    const copy = new Uint16Array(length);
    for (let at = 0; at < length; at += 1) copy[at] = unit(start + at);
    let text = '';
    for (let from = 0; from < length; from += PART)
      text += String.fromCharCode(...copy.subarray(from, from + PART));
    return text;
  }

  return {
    read(most) {
      const texts: string[] = [];
      const written = Atomics.load(counts, 0);
      let read = Atomics.load(counts, 1);
      while (read !== written && texts.length < most) {
        const length = unit(read) + unit(read + 1) * 2 ** 16;
        const left = (written - read) >>> 0;
        if (left > MAILBOX_UNITS || length + 2 > left) {
          // Nobody but the writer has this memory, unless an application has got hold of it.
          read = written;
          break;
        }
        texts.push(textAt(read + 2, length));
        read = (read + 2 + length) | 0;
      }
      Atomics.store(counts, 1, read);
      return texts;
    },
  };
}

/** Where a thread of this process hands over its memory; a thread of another one never does. */
export interface MailboxDelivery {
  /** Resolves with what came under the name within the time. Never rejects. */
  within(ms: number): Promise<Mailbox | undefined>;
  close(): void;
}

export function expectMailbox(name: string): MailboxDelivery {
  const channel = new BroadcastChannel(name);
  channel.unref();
  let arrived: Mailbox | undefined;
  let settle = () => {};
  channel.onmessage = ({ data }: { readonly data?: unknown }) => {
    if (!(data instanceof SharedArrayBuffer) || data.byteLength !== BYTES) return;
    arrived = createMailbox(data);
    settle();
  };
  return {
    async within(ms) {
      if (arrived === undefined) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms).unref();
          settle = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      return arrived;
    },
    close: () => channel.close(),
  };
}
