import type { IncomingMessage, ServerResponse } from 'node:http';
import type { LLMock } from '@copilotkit/aimock';

/** Where `mountRaw` answers, for `Wire.model`. */
export const RAW = '/raw';

/** Lets `answer` write what the mock has no fixture for: a broken answer, a late one, numbers it does not know. */
export function mountRaw(
  mock: LLMock,
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): void {
  mock.mount(RAW, {
    async handleRequest(request, response) {
      answer(request, response);
      return true;
    },
  });
}

/** Answers with this JSON. */
export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** Answers every request with this JSON, and gives the body of the last one as it was sent. */
export function captureRaw(mock: LLMock, answer: unknown): () => unknown {
  let sent: unknown;
  mountRaw(mock, (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      sent = JSON.parse(Buffer.concat(chunks).toString());
      sendJson(response, 200, answer);
    });
  });
  return () => sent;
}
