import type { Client, Dispatcher } from 'undici';
import { createClients, type Clients, type Done } from './clients.ts';
import { findDestination, type DestinationOptions } from './destination.ts';
import { networkFault } from './failure.ts';
import { systemResolve, type Resolve } from './resolve.ts';
import { failed, resultOf, type SendResult } from './result.ts';
import type { UrlPolicy } from './url.ts';

export type SenderOptions = {
  readonly policy: UrlPolicy;
  /** Default: the operating system's resolver. */
  readonly resolve?: Resolve;
  /** By the wall clock, from the look-up to the end of the answer; the default of {@link SendRequest}'s. */
  readonly timeoutMs: number;
  /** A PEM certificate to trust besides the usual ones, for tests. */
  readonly ca?: string;
  /** For tests, whose servers are on loopback. Default: `isForbiddenAddress`. */
  readonly isForbidden?: (address: string) => boolean;
};

export type SendRequest = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly timeoutMs?: number;
};

export type { SendResult } from './result.ts';

export type Sender = {
  /**
   * POSTs once. Every fault of the receiver or the network is a result; rejects only for the caller's mistakes (a header
   * that cannot be sent, a closed sender) and for want of this machine's resources (EMFILE), which are no attempt.
   */
  send(request: SendRequest): Promise<SendResult>;
  /** Waits for the sends under way, then closes every connection. */
  close(): Promise<void>;
};

/** Enough for a receiver's short answer, so that its connection can be used again; nobody reads it. */
const answerBytesMax = 16 * 1024;

/** Reads the answer to its end, or to 16 KiB. True at the end. Bytes as sent: nothing is decompressed. */
async function readAll(body: Dispatcher.ResponseData['body']): Promise<boolean> {
  // Leaving the loop early destroys the body, which then says so in an error.
  body.on('error', () => undefined);
  let bytes = 0;
  for await (const chunk of body) {
    bytes += (chunk as Buffer).length;
    if (bytes > answerBytesMax) return false;
  }
  return true;
}

async function post(client: Client, url: URL, request: SendRequest): Promise<Done<SendResult>> {
  const { headers, body } = request;
  const path = url.pathname + url.search;
  const answer = await client.request({ method: 'POST', path, headers, body });
  const isReusable = await readAll(answer.body);
  return { value: resultOf(answer), isReusable };
}

type Context = { readonly clients: Clients; readonly destination: Omit<DestinationOptions, 'timeoutMs'> };

async function attempt(context: Context, request: SendRequest, timeoutMs: number): Promise<SendResult> {
  const late = `timeout: no complete answer within ${timeoutMs} ms`;
  const clock = new AbortController();
  const timer = setTimeout(() => clock.abort(), timeoutMs);
  try {
    const found = await findDestination(request.url, { ...context.destination, timeoutMs });
    if (found.kind === 'blocked') return failed(`destination_blocked: ${found.reason}`);
    if (found.kind === 'unknown')
      return failed(found.reason === 'timeout' ? late : `dns_error: ${found.reason}`);
    const { url, addresses } = found;
    return await context.clients.use(url.origin, addresses, clock.signal, (client) =>
      post(client, url, request),
    );
  } catch (error) {
    const summary = clock.signal.aborted ? late : networkFault(error);
    if (summary === null) throw error;
    return failed(summary);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * A sender of webhooks to destinations that nobody need trust. At each send the URL is judged again and its name looked
 * up again; connections go to the vetted addresses only and are kept for two seconds. Redirects are not followed, and
 * proxy settings (HTTPS_PROXY and the like) are not honoured: a proxy would do the look-up, and with it the choice of
 * the address, out of this module's sight.
 */
export function createSender(options: SenderOptions): Sender {
  const { policy, resolve = systemResolve, isForbidden, timeoutMs, ca } = options;
  const clients = createClients({ timeoutMs, ca });
  const context: Context = { clients, destination: { policy, resolve, isForbidden } };
  const underWay = new Set<Promise<SendResult>>();
  let isClosed = false;
  return {
    async send(request) {
      if (isClosed) throw new Error('the sender is closed');
      const sending = attempt(context, request, request.timeoutMs ?? timeoutMs);
      underWay.add(sending);
      try {
        return await sending;
      } finally {
        underWay.delete(sending);
      }
    },
    async close() {
      isClosed = true;
      await Promise.allSettled(underWay);
      await clients.close();
    },
  };
}
