/** A server-sent event, its data parsed. */
export interface ReadEvent {
  readonly event: string;
  readonly id: string;
  readonly data: unknown;
}

/** The first events of a stream, at most so many; fewer where it ends. */
export async function readEvents(stream: AsyncIterable<Uint8Array> | Iterable<Uint8Array>, most: number) {
  const events: ReadEvent[] = [];
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of stream) {
    text += decoder.decode(chunk, { stream: true });
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    events.push(...blocks.filter((block) => block.trim() !== '').map(toEvent));
    if (events.length >= most) return events.slice(0, most);
  }
  return events;
}

function toEvent(block: string): ReadEvent {
  const fields = new Map<string, string>();
  for (const line of block.trim().split('\n')) {
    const [name = '', ...rest] = line.split(': ');
    fields.set(name, rest.join(': '));
  }
  return {
    event: fields.get('event') ?? '',
    id: fields.get('id') ?? '',
    data: JSON.parse(fields.get('data') ?? 'null'),
  };
}
