import type { IncomingMessage, ServerResponse } from 'node:http';
import type { PayloadCodec } from '@temporalio/common';
import { answerCodecCall, type CodecOperation } from './codec-calls.ts';

/** The longest body of a call: the payloads of one request of the UI or the CLI. */
const bodyMax = 8 * 1024 * 1024;

/** The text of a body; null if it is too long. */
async function readBody(incoming: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > bodyMax) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Answers with JSON, which no cache keeps. */
export const answerJson = (response: ServerResponse, status: number, body: object): void => {
  response
    .writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' })
    .end(JSON.stringify(body));
};

/** Serves a call of the remote codec protocol, whose caller is checked already. */
export async function serveCodec(
  codec: PayloadCodec,
  operation: CodecOperation,
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const text = await readBody(incoming);
  if (text === null) {
    response.setHeader('connection', 'close');
    answerJson(response, 413, { message: 'The payloads are too long.' });
    return;
  }
  const { status, body } = await answerCodecCall(codec, operation, text);
  answerJson(response, status, body);
}
