// A model for the tests, loaded by the host: `restart` replaces the workers, anything else is answered.
function last(messages, role) {
  return messages.findLast((message) => message.role === role);
}

async function generate({ messages }) {
  const done = messages.at(-1)?.role === 'tool';
  if (!done && last(messages, 'user')?.content.includes('restart')) {
    const call = { id: 'call_1', name: 'restart_service', arguments: { service: 'http_workers' } };
    return answer({ content: '', finishReason: 'tool_calls', toolCalls: [call] });
  }
  return answer({ content: done ? 'restarted' : 'hello back', finishReason: 'stop' });
}

function answer(output) {
  return { status: 'completed', output, usage: { promptTokens: 1, completionTokens: 1 } };
}

export function register({ logicalName, kind }) {
  const capabilities = () => ({ embed: false, generate: true, stream: false, tools: true, adapters: false });
  globalThis.models.registerBackend(kind, logicalName, { name: 'test', capabilities, generate });
}
