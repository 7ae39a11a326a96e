import { randomInt } from 'node:crypto';
import {
  createServer,
  request,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { finished, pipeline } from 'node:stream/promises';
import { text } from 'node:stream/consumers';
import getPort from 'get-port';
import { listen } from '../../process/health/listen.ts';

/** Where the Web UI of the embedded Temporal server listens. */
export type UiEndpoint = { readonly ip: string; readonly port: number };

/** An address of 127.0.0.0/8 that no one can guess. */
const randomLoopbackIp = (): string =>
  `127.${randomInt(1, 255)}.${randomInt(256)}.${randomInt(1, 255)}`;

/**
 * Returns a random loopback address and a free port of it. Linux and Windows listen on all of
 * 127.0.0.0/8; a web page that scans for the port would have to guess the address too. Elsewhere
 * (macOS) the address is 127.0.0.1, and only the port is random.
 */
export async function chooseHiddenEndpoint(): Promise<UiEndpoint> {
  const ip = randomLoopbackIp();
  try {
    return { ip, port: await getPort({ host: ip }) };
  } catch {
    return { ip: '127.0.0.1', port: await getPort({ host: '127.0.0.1' }) };
  }
}

/** How to serve the Web UI read-only. */
export type UiProxyOptions = {
  /** Port on 127.0.0.1. */
  readonly port: number;
  readonly upstream: UiEndpoint;
  /** Host names that a request may name besides the names of the loopback interface. */
  readonly hostNames: readonly string[];
};

const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]'];
const SETTINGS = /^\/api\/v1\/settings(?:\?|$)/;
/** A query reads a run. It is the one POST that the UI makes in order to show something. */
const QUERY = /^\/api\/v1\/namespaces\/[\w.-]+\/workflows\/[^/?]+\/query\/[\w.-]+(?:\?|$)/;
const HOP_HEADERS = ['connection', 'keep-alive', 'transfer-encoding', 'upgrade', 'host', 'te'];

/** The status and the reason of a refusal; null for a request that the proxy forwards. */
type Refusal = { readonly status: 400 | 403 | 405 | 421; readonly reason: string } | null;

const hostNameOf = (host: string | undefined): string =>
  URL.canParse(`http://${host ?? ''}`) ? new URL(`http://${host ?? ''}`).hostname : '';

/** Whether a browser sends the request for a page of the UI itself. */
function isSameOrigin({ origin, host, 'sec-fetch-site': site }: IncomingHttpHeaders): boolean {
  const isOwn = origin === undefined || origin === `http://${host}` || origin === `https://${host}`;
  return isOwn && (site === undefined || site === 'same-origin' || site === 'none');
}

function refusalOf(incoming: IncomingMessage, hostNames: ReadonlySet<string>): Refusal {
  const { method = '', url = '', headers } = incoming;
  // By DNS rebinding a foreign page reaches this port under its own name, as its own origin.
  if (!hostNames.has(hostNameOf(headers.host))) {
    return {
      status: 421,
      reason: 'The Temporal UI does not answer under this name. Set TEMPORAL_UI_URL to allow it.',
    };
  }
  if (!url.startsWith('/')) return { status: 400, reason: 'The target must be a path.' };
  if (method === 'GET' || method === 'HEAD') return null;
  if (method !== 'POST' || !QUERY.test(url)) {
    return { status: 405, reason: 'The Temporal UI is read-only. Use the temporal CLI to write.' };
  }
  return isSameOrigin(headers) ? null : { status: 403, reason: 'Another site sent this request.' };
}

/** The headers that the proxy forwards. No response lets other origins read it. */
const forwarded = (headers: IncomingHttpHeaders): IncomingHttpHeaders =>
  Object.fromEntries(
    Object.entries(headers).filter(
      ([name]) => !HOP_HEADERS.includes(name) && !name.startsWith('access-control-'),
    ),
  );

/** Forwards a request. The settings tell the page to hide what this proxy refuses. */
async function forward(
  incoming: IncomingMessage,
  response: ServerResponse,
  { ip, port }: UiEndpoint,
): Promise<void> {
  const { method, url } = incoming;
  const isSettings = SETTINGS.test(url ?? '');
  const outgoing = request({
    host: ip,
    port,
    method,
    path: url,
    headers: {
      ...forwarded(incoming.headers),
      ...(isSettings ? { 'accept-encoding': 'identity' } : {}),
    },
  });
  const receiving = new Promise<IncomingMessage>((resolve, reject) => {
    outgoing.once('response', resolve).on('error', reject);
  });
  response.once('close', () => outgoing.destroy());
  const [received] = await Promise.all([receiving, pipeline(incoming, outgoing)]);
  const headers = forwarded(received.headers);
  if (!isSettings || method !== 'GET' || received.statusCode !== 200) {
    response.writeHead(received.statusCode ?? 502, headers);
    await pipeline(received, response);
    return;
  }
  const settings: object = JSON.parse(await text(received));
  const body = JSON.stringify({ ...settings, DisableWriteActions: true });
  response.writeHead(200, { ...headers, 'content-length': Buffer.byteLength(body) }).end(body);
  await finished(response);
}

/**
 * Serves the Temporal UI of `upstream` on 127.0.0.1 for reading: GET, HEAD and queries, under the
 * names of the loopback interface and `hostNames`. The UI has no log-in and checks no Host, so that
 * a page in an operator's browser could otherwise end reviews by DNS rebinding.
 */
export async function startUiProxy({ port, upstream, hostNames }: UiProxyOptions): Promise<Server> {
  const names = new Set([...LOOPBACK_NAMES, ...hostNames.map((name) => name.toLowerCase())]);
  const server = createServer((incoming, response) => {
    const refusal = refusalOf(incoming, names);
    if (refusal !== null) {
      const headers = { 'content-type': 'text/plain; charset=utf-8', connection: 'close' };
      response.writeHead(refusal.status, headers).end(`${refusal.reason}\n`);
      return;
    }
    forward(incoming, response, upstream).catch(() => {
      if (response.headersSent) response.destroy();
      else response.writeHead(502).end('The Temporal server does not answer.\n');
    });
  });
  await listen(server, { host: '127.0.0.1', port });
  return server;
}
