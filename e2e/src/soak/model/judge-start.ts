import { EFFECTS } from '@harperfast/agent-core';
import type { AgentSettings, AskEntry, Effect, StartEntry } from '@harperfast/agent-core';
import { Violation } from '../violation.js';
import { expectedGate } from './expected-gate.js';
import type { History } from './history.js';
import type { SessionRecord } from './session-record.js';
import { effectIn, schemaIn } from './tools.js';

/**
 * Holds the start of a call against the settings, tools, decisions and grants of that moment: throws a `Violation`
 * when it needed a decision and had none that covers it.
 */
export function judgeStart(
  record: SessionRecord,
  entry: StartEntry,
  { settings, tools }: { readonly settings: History<AgentSettings>; readonly tools: History<number> },
): void {
  const seen = record.expected.calls.get(entry.callId);
  if (seen === undefined) return;
  const { call, ask, decision } = seen;
  const name = `${call.name} (${call.id})`;
  const raw = record.rawArguments.get(call.id);
  if (raw === undefined) throw new Violation(`${name} starts with arguments that were none`);
  const version = tools.at(entry.at);
  const effect = effectIn(version, call.name, raw);
  if (effect !== entry.effect) throw new Violation(`${name} is ${effect} and starts as ${entry.effect}`);

  const verdict = expectedGate(call.name, effect, settings.at(entry.at));
  if (verdict === 'never') throw new Violation(`${name} is ${effect} and not allowed, and starts`);
  const sameTool = (asked: AskEntry): boolean =>
    asked.tool === call.name && schemaIn(tools.at(asked.at), call.name) === schemaIn(version, call.name);
  if (ask !== undefined) {
    if (decision?.approved !== true) throw new Violation(`${name} starts without the decision it asked for`);
    if (!sameTool(ask))
      throw new Violation(`${name} starts and is another tool than the one that was approved`);
    if (graver(effect, ask.effect))
      throw new Violation(`${name} was approved as ${ask.effect} and starts as ${effect}`);
    return;
  }
  if (verdict === 'free') return;
  const granted = record.expected.grants.some((grant) => sameTool(grant.ask) && grant.ask.effect === effect);
  if (!granted || graver(effect, 'disruptive'))
    throw new Violation(`${name} is ${effect} and starts although nobody decided it`);
}

function graver(effect: Effect, than: Effect): boolean {
  return EFFECTS.indexOf(effect) > EFFECTS.indexOf(than);
}
