import type { JsonObject } from '@harperfast/agent-core/contracts';
import type { CdpAnswer, CdpConnection, PauseReflex } from './cdp-connection.js';
import { ConnectionClosedError } from './cdp-errors.js';
import { commandError, createPendingCommands } from './pending-commands.js';

/** Ids from here on belong to commands of a reflex: nobody waits for them one by one. */
const FIRST_REFLEX_ID = 1_000_000_000;

/** A pause that was met: the answers to what the reflex sent come later. */
export interface MetPause {
  readonly methods: readonly string[];
  readonly firstId: number;
  readonly answers: Map<number, CdpAnswer>;
  readonly settled: (answers: readonly CdpAnswer[]) => void;
}

export interface ChannelOptions {
  /** Sends a command. May be called inside other code. */
  readonly transmit: (id: number, method: string, params: JsonObject | undefined) => void;
  /** Takes in what has arrived but was not received yet. */
  readonly drain: () => void;
}

/** What both transports have in common: commands, events, pauses, the end. */
export interface CommandChannel {
  readonly send: CdpConnection['send'];
  readonly on: CdpConnection['on'];
  readonly onClose: CdpConnection['onClose'];
  readonly setReflex: CdpConnection['setReflex'];
  /** Lets the reflex act at once; may be called inside other code. `undefined`: there is no reflex. */
  meet(params: unknown): MetPause | undefined;
  /** Tells the reflex that the thread runs again; may be called inside other code. */
  runs(): void;
  /** Waits for the answers of a pause that was met; in a turn of its own, as all that follows. */
  await(pause: MetPause): void;
  event(method: string, params: unknown): void;
  answer(id: number, answer: { readonly result?: unknown; readonly error?: unknown }): void;
  wantsText(id: number): boolean;
  readonly ended: boolean;
  /** Rejects what waits and tells who listens; only the first call counts. */
  end(why: string): void;
}

export function createCommandChannel({ transmit, drain }: ChannelOptions): CommandChannel {
  const listeners = new Map<string, Set<(params: unknown) => void>>();
  const closeListeners = new Set<() => void>();
  const pending = createPendingCommands(drain);
  const met = new Set<MetPause>();
  let reflex: PauseReflex | undefined;
  let nextReflexId = FIRST_REFLEX_ID;
  let ended: ConnectionClosedError | undefined;

  function settleMet(id: number, answer: { readonly result?: unknown; readonly error?: unknown }): void {
    for (const pause of met) {
      const at = id - pause.firstId;
      const method = pause.methods[at];
      if (method === undefined) continue;
      const { error } = answer;
      pause.answers.set(
        at,
        error === undefined ? { result: answer.result } : { error: commandError(method, error) },
      );
      if (pause.answers.size < pause.methods.length) return;
      met.delete(pause);
      finish(pause);
      return;
    }
  }

  function finish({ methods, answers, settled }: MetPause): void {
    guarded('Debugger.paused', () =>
      settled(methods.map((method, at) => answers.get(at) ?? { error: commandError(method, undefined) })),
    );
  }

  return {
    send(method, params, options = {}) {
      if (ended !== undefined) return Promise.reject(ended);
      return pending.send((id) => transmit(id, method, params), method, options);
    },
    on(event, listener) {
      const own = listeners.get(event) ?? new Set();
      listeners.set(event, own.add(listener));
      return () => void own.delete(listener);
    },
    onClose(listener) {
      if (ended === undefined) closeListeners.add(listener);
      else listener();
      return () => void closeListeners.delete(listener);
    },
    setReflex(given) {
      reflex = given;
    },

    meet(params) {
      if (reflex === undefined) return undefined;
      const { commands, settled } = reflex.paused(params);
      const firstId = nextReflexId;
      nextReflexId += commands.length;
      for (const [at, command] of commands.entries()) transmit(firstId + at, command.method, command.params);
      return { methods: commands.map(({ method }) => method), firstId, answers: new Map(), settled };
    },
    runs: () => reflex?.resumed(),
    await(pause) {
      if (pause.methods.length === 0) finish(pause);
      else met.add(pause);
    },

    event(method, params) {
      for (const listener of listeners.get(method) ?? []) guarded(method, () => listener(params));
    },
    answer(id, answer) {
      if (id >= FIRST_REFLEX_ID) settleMet(id, answer);
      else if (answer.error === undefined) pending.resolve(id, answer.result);
      else pending.reject(id, answer.error);
    },
    wantsText: (id) => pending.wantsText(id),

    get ended() {
      return ended !== undefined;
    },
    end(why) {
      if (ended !== undefined) return;
      ended = new ConnectionClosedError(why);
      pending.rejectAll(ended);
      met.clear();
      for (const listener of closeListeners) guarded('close', listener);
      closeListeners.clear();
      listeners.clear();
    },
  };
}

function guarded(what: string, work: () => void): void {
  try {
    work();
  } catch (error) {
    process.emitWarning(`A listener of ${what} threw: ${String(error)}`);
  }
}
