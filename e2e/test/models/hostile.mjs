import {
  ScriptedModel,
  calls,
  fails,
  hangs,
  registerScript,
  reply,
  scriptByPrompt,
} from '@harperfast/agent-testkit';

const insert = (text) => ({
  name: 'insert',
  arguments: { database: 'data', table: 'note', records: [{ text }] },
});
/** Looks like a key to everybody who looks for keys, and is none. */
const KEY = ['sk', 'ant', 'api03', `${'abcdefghijklmnopqrstuvwxyz0123456789'.repeat(3).slice(0, 93)}AA`].join(
  '-',
);
const wild = Array.from({ length: 10_000 }, (_, index) => ({
  name: 'read_log',
  arguments: { limit: index + 1 },
}));

/** A model that is broken, or that somebody talked into anything. */
export const register = registerScript(
  new ScriptedModel(
    scriptByPrompt([
      { when: 'go wild', steps: [calls(...wild), hangs()] },
      { when: 'leak the key', steps: [() => fails(new Error(`Incorrect API key provided: ${KEY}`))] },
      {
        when: /^insert (.+)$/,
        steps: [({ messages }) => calls(insert(messages[0].content)), reply('inserted')],
      },
      { when: 'and then', steps: [reply('read')] },
    ]),
    { keepRequests: false },
  ),
);
