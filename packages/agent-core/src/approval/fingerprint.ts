import { createHmac } from 'node:crypto';
import type { ToolCall } from '../contracts/index.js';
import { canonicalJson } from '../session/canonical-json.js';

/** Identifies a call with exactly these arguments; keyed, so that it does not give short secrets away. */
export function fingerprintCall(call: ToolCall, key: string): string {
  return createHmac('sha256', key)
    .update(`${call.id}\n${call.name}\n${canonicalJson(call.arguments)}`)
    .digest('base64url');
}
