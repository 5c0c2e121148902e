import type { FileHandle } from 'node:fs/promises';
import {
  AgentError,
  InvalidRequestError,
  ToolDeniedError,
  type ToolOutput,
  defineTool,
} from '@harperfast/agent-core/contracts';
import { z } from 'zod';
import { sameState } from '../changes/change.js';
import type { OpenState } from '../changes/open-state.js';
import type { EditedContent } from '../edit/edit-text.js';
import { changedMeanwhile } from '../root/entry-stats.js';
import type { Place } from '../root/scope.js';
import { contentOf, hashOf, inPieces } from '../text/hash.js';
import { readBytes } from '../text/read-bytes.js';
import { expectedField, requireExpected } from './expected.js';
import { type ChangingToolParts, replaceEffect, pathField, rootField } from './where.js';

const editSchema = z.strictObject({
  oldText: z.string().min(1).describe('Text of the file, exactly as read_file shows it.'),
  newText: z.string().describe('What takes its place.'),
  replaceAll: z.boolean().default(false).describe('Replaces every place it stands at, not the only one.'),
});

/** So often an edit is made when another call changed the file meanwhile; the last time while the others wait. */
const MOST_TRIES = 2;

/** `edit_file`: exact replacements in one text file, all of them or none, with a diff of what changed. */
export function editFileTool(parts: ChangingToolParts) {
  const { scope, jail, changer, editor, secrets, limits, showHash } = parts;
  return defineTool({
    name: 'edit_file',
    description:
      `Replaces exact pieces of a text file, in order, all of them or none, and shows the diff. Each oldText must stand ` +
      `in the file once, unless replaceAll is set; otherwise the nearest text is shown. Line endings, a byte order ` +
      `mark and permissions stay. Files up to ${limits.writeBytes} bytes. ${scope.summary}`,
    input: z.strictObject({
      root: rootField(scope),
      path: pathField('The file'),
      edits: z.array(editSchema).min(1).max(100),
      expected: expectedField(),
    }),
    effect: replaceEffect(parts),
    async execute(input, { sessionId, callId, signal }) {
      const place = await scope.locate(input.root, input.path, 'file');
      const { label } = place;
      jail.requireWritable(place);
      for (const { oldText, newText } of input.edits) {
        const unwritable = (await secrets.unwritable(newText)) ?? (await secrets.unwritable(oldText));
        if (unwritable !== undefined)
          throw new ToolDeniedError(`An edit of ${label} is refused: ${unwritable}.`);
      }
      const allow = requireExpected(input.expected, label, showHash);

      /** The new content for what stands there now. */
      async function prepare(file: FileHandle, size: number) {
        const bytes = await readWhole(file, size, label, limits.writeBytes);
        const before = { kind: 'file', mode: 0, ...(await hashOf(inPieces(bytes))) } as const;
        allow(before);
        const job = { path: place.path, bytes, edits: input.edits, forms: secrets.forms() };
        const bounds = { maxBytes: limits.writeBytes, maxDiffLength: limits.pageBytes };
        const result = await editor.edit({ ...job, ...bounds }, signal);
        if ('notText' in result) throw notEditable(label, before.size, result.notText);
        if ('refused' in result) throw new ToolDeniedError(`${label} is not edited: ${result.refused}.`);
        if ('problem' in result) throw new InvalidRequestError(`${label} is not edited: ${result.problem}`);
        return { before, result, content: await contentOf(result.bytes) };
      }

      for (let tries = 1; ; tries++) {
        // It may take a while, so nobody else has to wait for it, unless they keep changing the file.
        let prepared =
          tries < MOST_TRIES
            ? await jail.withFile(place, ({ file, size }) => prepare(file, size))
            : undefined;
        const replace = async ({ state, file }: OpenState) => {
          if (file === undefined || state.kind !== 'file') throw changedMeanwhile(label);
          prepared ??= await prepare(file, state.size);
          if (!sameState(state, prepared.before)) throw changedMeanwhile(label);
          return prepared.content;
        };
        try {
          await changer.replace(
            place,
            replace,
            { folders: false },
            { sessionId, callId, tool: 'edit_file', signal },
          );
        } catch (error) {
          if (tries < MOST_TRIES && AgentError.isInstance(error) && error.code === 'conflict') continue;
          throw error;
        }
        if (prepared === undefined)
          throw new Error(`Nothing was prepared for ${label}, and it was replaced.`);
        const { before, result, content } = prepared;
        const hash = showHash(content.hash);
        return answer(place, result, { before: before.size, bytes: content.size, hash });
      }
    },
  });
}

async function readWhole(file: FileHandle, size: number, label: string, limit: number): Promise<Buffer> {
  if (size <= limit) return readBytes(file, 0, size);
  throw new InvalidRequestError(`${label} has ${size} bytes; only files up to ${limit} bytes are edited.`, {
    statusCode: 413,
  });
}

function notEditable(label: string, size: number, what: string): AgentError {
  return new AgentError(
    'not_utf8',
    `${label} (${size} bytes) is ${what}. Only UTF-8 text is edited; nothing was changed.`,
    { statusCode: 415 },
  );
}

function answer(
  place: Place,
  { counts, diff }: EditedContent,
  { before, bytes, hash }: { before: number; bytes: number; hash: string },
): ToolOutput {
  const sum = counts.reduce((all, count) => all + count, 0);
  const what = `${sum} ${sum === 1 ? 'replacement' : 'replacements'}`;
  const head = `[${place.path} in ${place.root.name}: ${what}; ${bytes} bytes (was ${before}); hash ${hash}]`;
  const shown = diff?.text ?? '(The diff is not shown: the texts differ too much to compare them in time.)';
  return {
    text: `${head}\n${shown}`,
    data: {
      root: place.root.name,
      path: place.path,
      bytes,
      previousBytes: before,
      hash,
      replacements: counts,
      ...(diff === undefined ? {} : { diff: diff.text }),
    },
    ...(diff?.cut === false ? {} : { truncated: true }),
  };
}
