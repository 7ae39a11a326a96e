import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { PayloadCodec } from '@temporalio/common';
import type { Logger } from 'pino';
import { codecOperationOf } from '../../codec/codec-calls.ts';
import { answerJson, serveCodec } from '../../codec/serve-codec.ts';
import { listen } from '../../process/health/listen.ts';
import type { OperatorVerdict } from './check-operator.ts';

export type CodecServerOptions = {
  readonly host: string;
  readonly port: number;
  /** The URL of the Temporal UI, the one page that may call from a browser. */
  readonly uiUrl: string;
  readonly codec: PayloadCodec;
  readonly checkOperator: (
    authorization: string | undefined,
    address: string,
  ) => Promise<OperatorVerdict>;
  readonly log: Pick<Logger, 'warn'>;
};

const requestTimeoutMs = 10_000;

/** Lets the page of an origin call and read. Its browser may send the log-in of a proxy. */
const corsHeaders = (origin: string): Readonly<Record<string, string>> => ({
  'access-control-allow-origin': origin,
  'access-control-allow-credentials': 'true',
  'access-control-allow-methods': 'POST',
  'access-control-allow-headers': 'authorization, content-type, x-namespace',
  'access-control-max-age': '600',
  vary: 'origin',
});

/**
 * Serves Temporal's remote codec protocol on a port of its own, for operators: the Temporal UI and
 * CLI send encrypted payloads and get readable ones. The API's port does not serve it, because the
 * protocol has no envelope and vendors must not reach it.
 */
export async function startCodecServer(
  options: CodecServerOptions,
): Promise<{ readonly url: string; readonly close: () => void }> {
  const { log } = options;
  const uiOrigin = new URL(options.uiUrl).origin;
  const server = createServer((incoming, response) => {
    answer(incoming, response, { ...options, uiOrigin }).catch((error: unknown) => {
      log.warn({ err: error }, 'a call of the codec endpoint failed');
      if (response.headersSent) response.destroy();
      else answerJson(response, 503, { message: 'The gateway cannot check the log-in now.' });
    });
  });
  server.requestTimeout = requestTimeoutMs;
  const url = await listen(server, options);
  return {
    url,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function answer(
  incoming: IncomingMessage,
  response: ServerResponse,
  { uiOrigin, codec, checkOperator }: CodecServerOptions & { readonly uiOrigin: string },
): Promise<void> {
  const { method, url = '', headers, socket } = incoming;
  const { origin, authorization } = headers;
  if (origin !== undefined && origin !== uiOrigin) {
    answerJson(response, 403, { message: 'Only the page of TEMPORAL_UI_URL may call.' });
    return;
  }
  for (const [name, value] of Object.entries(corsHeaders(uiOrigin)))
    response.setHeader(name, value);
  if (method === 'OPTIONS') {
    response.writeHead(204).end();
    return;
  }
  const operation = codecOperationOf(url);
  if (operation === null || method !== 'POST') {
    const message = 'POST /decode and POST /encode are all there is.';
    answerJson(response, operation === null ? 404 : 405, { message });
    return;
  }
  const verdict = await checkOperator(authorization, socket.remoteAddress ?? '');
  if (verdict === 'operator') {
    await serveCodec(codec, operation, incoming, response);
    return;
  }
  response.setHeader('connection', 'close');
  if (verdict === 'limited') {
    answerJson(response, 429, { message: 'Too many failed log-ins. Try again in a minute.' });
    return;
  }
  response.setHeader('www-authenticate', 'Bearer realm="vendor-gateway"');
  answerJson(response, 401, { message: "Send an operator's token in Authorization: Bearer." });
}
