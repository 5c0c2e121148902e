import { Readable } from 'node:stream';
import { messageOf } from '../host-error.js';
import type { ToolResult } from './tool.js';

/** A value as a tool's result: JSON in the text, and the same as structured content, a list under `results`. */
export function toolResult(value: unknown): ToolResult {
  if (value instanceof Readable) throw new Error('The answer is a stream, which MCP cannot carry');
  const text = JSON.stringify(typeof value === 'object' && value !== null ? value : { message: value });
  const structured: unknown = JSON.parse(text);
  return {
    content: [{ type: 'text', text }],
    structuredContent: Array.isArray(structured) ? { results: structured } : structured,
  };
}

/** A failure as a tool's result. `subject` says what failed: `{ operation }` or `{ tool }`. */
export function toolFailure(subject: Readonly<Record<string, string>>, error: unknown): ToolResult {
  const text = JSON.stringify({ kind: 'harper_error', ...subject, message: messageOf(error) });
  return { isError: true, content: [{ type: 'text', text }] };
}
