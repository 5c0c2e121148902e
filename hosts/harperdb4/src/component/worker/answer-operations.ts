import { z } from 'zod';
import { fieldOf } from '../field-of.js';
import type { HarperDbListener, HarperDbRequest, HarperDbResponse } from '../harperdb.js';
import type { CorsSettings } from './cors-headers.js';
import { corsHeaders } from './cors-headers.js';
import type { MainLink } from './main-link.js';
import { peekBody } from './peek-body.js';
import { toEventStream, toJsonStream } from './render-stream.js';

const bodySchema = z.looseObject({ operation: z.string() });

/**
 * A listener of the operations API that answers what the main thread has registered, after HarperDB has signed the
 * caller in, and leaves every other request as it came.
 */
export function answerOperations(link: MainLink, settings: CorsSettings): HarperDbListener {
  return async (request, next) => {
    if (request.method !== 'POST' || request.pathname !== '/') return next(request);
    const body = await peekBody(request._nodeRequest);
    if (body === '')
      return json(400, { error: 'The body is empty: it has to be an object with an operation' });
    const parsed = bodySchema.safeParse(body);
    if (!parsed.success || !link.has(parsed.data.operation)) return next(request);
    const answered = await answer(link, parsed.data, request).catch((error: unknown) =>
      json(504, { error: error instanceof Error ? error.message : String(error) }),
    );
    const cors = corsHeaders(settings, request._nodeRequest.headers.origin);
    for (const [name, value] of Object.entries(cors)) answered.headers.set(name, value);
    return answered;
  };
}

async function answer(
  link: MainLink,
  body: z.infer<typeof bodySchema>,
  { user, _nodeRequest: { socket, headers } }: HarperDbRequest,
): Promise<HarperDbResponse> {
  const username = fieldOf(user, 'username');
  if (typeof username !== 'string') return json(401, { error: 'Must login' });
  const gone = new AbortController();
  const answered = await link.call(body, username, gone.signal);
  if (answered.kind === 'answer') return response(answered.status, 'application/json', answered.text);
  const asEvents = headers.accept?.includes('text/event-stream') === true;
  const stream = asEvents ? toEventStream(answered.items) : toJsonStream(answered.items);
  const leave = (): void => gone.abort();
  socket.once('close', leave);
  stream.once('close', () => {
    socket.off('close', leave);
    leave();
  });
  if (socket.destroyed) leave();
  return response(200, asEvents ? 'text/event-stream' : 'application/json', stream);
}

function json(status: number, body: object): HarperDbResponse {
  return response(status, 'application/json', JSON.stringify(body));
}

function response(status: number, type: string, body: HarperDbResponse['body']): HarperDbResponse {
  const headers = new Headers({ 'content-type': type });
  if (typeof body !== 'string') headers.set('cache-control', 'no-cache');
  return { status, headers, body };
}
