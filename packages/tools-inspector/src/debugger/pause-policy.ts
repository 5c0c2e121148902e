import type { CdpAnswer, CdpCommand, PauseReflex } from '../cdp/cdp-connection.js';
import type { Probe } from '../probes/probe.js';
import type { Instruments } from '../lens/instruments.js';
import { ONLY, THREW } from '../probes/expression-value.js';
import { readingsOf } from '../probes/readings.js';
import { whySpent } from '../probes/why-spent.js';
import type { LoadedScripts } from './loaded-scripts.js';
import { readPause } from './read-pause.js';
import type { PauseHead } from './read-pause.js';

/** Characters of all names of an object that V8 is asked to preview. */
const PREVIEW_NAMES = 10_000;
const RESUME: CdpCommand = { method: 'Debugger.resume' };
const CATCH_NOTHING: CdpCommand = { method: 'Debugger.setPauseOnExceptions', params: { state: 'none' } };

/** What a probe got to know of one pause: the answers to its own commands, in their order. */
export interface Sighting {
  readonly probe: Probe;
  readonly answers: readonly CdpAnswer[];
}

/** Told in a turn of its own, after the commands of a pause were answered. */
export interface PauseOutcome {
  readonly params: unknown;
  readonly sightings: readonly Sighting[];
  /** Probes that were not given this pause because a limit of theirs was reached, or that have reached it now. */
  readonly spent: readonly { readonly probe: Probe; readonly why: string }[];
  /** The worker was not told to run on: a breakpoint or a step holds it. */
  readonly held: boolean;
  /** The breakpoints that hold it; none after a step. */
  readonly holders: readonly Probe[];
}

/** What the reflex goes by. Changed from outside only by single `set` and `delete` calls. */
export interface PausePolicy extends PauseReflex {
  readonly breakpoints: Map<string, Probe>;
  readonly catchers: Set<Probe>;
  /** The next pause that no breakpoint explains is the end of a step. */
  stepping: boolean;
}

export interface PausePolicyOptions {
  readonly instruments: Instruments;
  readonly scripts: LoadedScripts;
  readonly told: (outcome: PauseOutcome) => void;
}

interface Allowance {
  windowStart: number;
  inWindow: number;
  pausedMs: number;
}

/**
 * Decides about the pauses of one worker, at once: whoever is interested gets a look and the worker runs on, unless a
 * breakpoint holds it. A pause that nobody asked for (a `debugger` statement) ends at once.
 */
export function createPausePolicy({ instruments, scripts, told }: PausePolicyOptions): PausePolicy {
  const breakpoints = new Map<string, Probe>();
  const catchers = new Set<Probe>();
  const allowances = new WeakMap<Probe, Allowance>();
  let since = 0;
  let paying: readonly Probe[] = [];

  /** `wanted`: it is to have a look; otherwise the pause only costs it time. */
  function limitOf(probe: Probe, now: number, wanted: boolean): string | undefined {
    const { limits } = probe;
    if (probe.ended !== undefined) return probe.ended;
    if (probe.taken >= limits.hits) return whySpent('hits', limits);
    const allowance = allowanceOf(probe, now);
    if (allowance.pausedMs >= limits.pauseMs) return whySpent('pause', limits);
    if (!wanted) return undefined;
    if (now - allowance.windowStart >= 1000) {
      allowance.windowStart = now;
      allowance.inWindow = 0;
    }
    if (allowance.inWindow >= limits.perSecond) return whySpent('rate', limits);
    allowance.inWindow += 1;
    return undefined;
  }

  function allowanceOf(probe: Probe, now: number): Allowance {
    const allowance = allowances.get(probe) ?? { windowStart: now, inWindow: 0, pausedMs: 0 };
    allowances.set(probe, allowance);
    return allowance;
  }

  function catches(probe: Probe, { scriptId, uncaught }: PauseHead): boolean {
    const { spec } = probe;
    if (spec.kind !== 'exceptions' || !(spec.caught || uncaught)) return false;
    return spec.within === undefined || (scripts.byId.get(scriptId)?.url ?? '').startsWith(spec.within);
  }

  /** The variables, the plain paths and what was thrown; after all else, and nothing where nobody can look. */
  function lookAt({ spec }: Probe, head: PauseHead): readonly CdpCommand[] {
    if (spec.kind === 'logpoint') return [];
    const paths = readingsOf(spec).flatMap(({ path }) => (path === undefined ? [] : [path]));
    return [instruments.look(scripts.contextOf(head.scriptId), head, paths) ?? []].flat();
  }

  const policy: PausePolicy = {
    breakpoints,
    catchers,
    stepping: false,
    paused(params) {
      const now = performance.now();
      const head = readPause(params);
      const isThrow = head.reason === 'exception' || head.reason === 'promiseRejection';
      const commands: CdpCommand[] = [];
      const looks: { readonly probe: Probe; readonly from: number; readonly to: number }[] = [];
      const spent: { readonly probe: Probe; readonly why: string }[] = [];
      const holders: Probe[] = [];
      const stepped = policy.stepping;
      policy.stepping = false;

      const look = (probe: Probe, giveUp: CdpCommand | undefined, wanted = true) => {
        const reached = limitOf(probe, now, wanted);
        if (reached === undefined && !wanted) return;
        if (reached === undefined) {
          const from = commands.length;
          commands.push(...evaluations(probe, head), ...lookAt(probe, head));
          looks.push({ probe, from, to: commands.length });
          probe.taken += 1;
          if (probe.taken < probe.limits.hits) return;
        }
        spent.push({ probe, why: reached ?? whySpent('hits', probe.limits) });
        if (giveUp !== undefined) commands.push(giveUp);
      };
      for (const breakpointId of head.breakpoints) {
        const probe = breakpoints.get(breakpointId);
        if (probe === undefined) continue;
        if (probe.spec.kind === 'breakpoint') {
          if (probe.ended === undefined) holders.push(probe);
        } else look(probe, { method: 'Debugger.removeBreakpoint', params: { breakpointId } });
      }
      if (isThrow) {
        for (const probe of catchers) {
          const giveUp = catchers.size === 1 ? CATCH_NOTHING : undefined;
          look(probe, giveUp, catches(probe, head));
        }
      }
      const held = stepped || holders.length > 0;
      if (!held) commands.push(RESUME);
      since = now;
      paying = [...looks.map(({ probe }) => probe), ...(isThrow ? catchers : [])];
      return {
        commands,
        settled: (answers) =>
          told({
            params,
            sightings: looks.map(({ probe, from, to }) => ({ probe, answers: answers.slice(from, to) })),
            spent,
            held,
            holders,
          }),
      };
    },
    resumed() {
      const pausedMs = performance.now() - since;
      for (const probe of new Set(paying)) {
        const allowance = allowances.get(probe);
        if (allowance !== undefined) allowance.pausedMs += pausedMs;
      }
      paying = [];
    },
  };
  return policy;
}

/**
 * The value of an expression, of which nothing long travels: texts are cut, an object is shown in V8's own preview where
 * that is bounded (its names are not), and else as the only element of a list, as is what is thrown. As little code as
 * possible: V8 prepares each function anew for an evaluation without side effects, while the worker stands still.
 */
function clipped(expression: string, most: number): string {
  return `(() => {
    try {
      const $agentValue = (${expression}
      );
      if (typeof $agentValue === 'string') return $agentValue.slice(0, ${most});
      if (typeof $agentValue === 'number' || typeof $agentValue === 'boolean' || $agentValue == null) return $agentValue;
      if ((Array.isArray($agentValue) || Object.prototype.toString.call($agentValue) === '[object Object]') &&
        Object.getOwnPropertyNames($agentValue).join('').length < ${PREVIEW_NAMES}) return $agentValue;
      return { ${ONLY}: $agentValue };
    } catch ($agentError) {
      return { ${THREW}: $agentError };
    }
  })()`;
}

/** Expressions that V8 has to evaluate. */
function evaluations({ spec, limits }: Probe, head: PauseHead): readonly CdpCommand[] {
  const expressions = readingsOf(spec).flatMap(({ expression, path }) =>
    path === undefined ? [expression] : [],
  );
  const timeout = Math.max(1, Math.floor(limits.watchdogMs / Math.max(1, expressions.length)));
  return expressions.map((expression): CdpCommand => {
    return {
      method: 'Debugger.evaluateOnCallFrame',
      params: {
        callFrameId: head.frameId,
        expression: clipped(expression, limits.text),
        throwOnSideEffect: spec.kind !== 'logpoint',
        silent: true,
        generatePreview: true,
        // V8 lets go of this group when the worker runs on.
        objectGroup: 'backtrace',
        timeout,
      },
    };
  });
}
