import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import { MessageChannel } from 'node:worker_threads';
import { z } from 'zod';
import type { HarperDbRequest } from '../../src/component/harperdb.js';
import { createOperationRegistry } from '../../src/component/main/operation-registry.js';
import { createWorkerLinks } from '../../src/component/main/worker-links.js';
import { answerOperations } from '../../src/component/worker/answer-operations.js';
import { openMainLink } from '../../src/component/worker/main-link.js';

const responseSchema = z.object({
  status: z.int(),
  headers: z.instanceof(Headers),
  body: z.union([z.string(), z.instanceof(Readable)]),
});

/** The users of the double, as HarperDB resolves them: `name:password` is what they sign in with. */
const USERS: Readonly<Record<string, object>> = {
  admin: { username: 'admin', role: { permission: { super_user: true } } },
  plain: { username: 'plain', role: { permission: { super_user: false } } },
};

/**
 * A double of HarperDB around both sides of the component: it signs in, hands a request to the listener, and answers
 * what that leaves to it with the bytes it reads.
 */
export async function openDouble() {
  const operations = createOperationRegistry(() => links.announce());
  const complaints: unknown[] = [];
  const links = createWorkerLinks({
    operations,
    getUser: async (name) => USERS[name] ?? { username: name },
    complain: (error) => complaints.push(error),
  });
  const { port1, port2 } = new MessageChannel();
  links.add(port2);
  const link = await openMainLink(port1);
  const listener = answerOperations(link, { cors: true, corsAccessList: ['http://studio.test'] });

  const server = createServer((request, response) => {
    const [name = '', password] = credentials(request);
    const user = password === 'right' ? USERS[name] : undefined;
    const given: HarperDbRequest = {
      method: request.method ?? '',
      pathname: request.url ?? '',
      user,
      _nodeRequest: request,
    };
    void (async () => {
      const answered = await listener(given, () => undefined);
      if (answered === undefined) {
        let bytes = 0;
        for await (const chunk of request) bytes += Buffer.byteLength(Buffer.from(chunk));
        return response.end(JSON.stringify({ left: bytes }));
      }
      const { status, headers, body } = responseSchema.parse(answered);
      response.writeHead(status, Object.fromEntries(headers));
      if (typeof body === 'string') return response.end(body);
      response.once('close', () => body.destroy());
      return body.pipe(response);
    })();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = z.object({ port: z.int() }).parse(server.address());
  return {
    operations,
    complaints,
    link,
    /** The worker's end of the port. */
    port: port1,
    place: { port: address.port },
    async close() {
      port1.close();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function credentials({ headers }: IncomingMessage): readonly string[] {
  const encoded = /^Basic (.+)$/.exec(headers.authorization ?? '')?.[1] ?? '';
  return Buffer.from(encoded, 'base64').toString('utf8').split(':');
}
