import { createClients, type Clients } from './clients.ts';
import { Deadline } from './deadline.ts';
import { findDestination, type DestinationOptions } from './destination.ts';
import { networkFault } from './failure.ts';
import { post } from './post.ts';
import type { Resolve } from './resolve.ts';
import { failed, type SendResult } from './result.ts';
import type { UrlPolicy } from './url.ts';

export type SenderOptions = {
  readonly policy: UrlPolicy;
  /** For all origins. Default: DNS itself, and the operating system's resolver for exempt origins. */
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

type Context = {
  readonly clients: Clients;
  readonly destination: Omit<DestinationOptions, 'timeoutMs'>;
};

async function attempt(
  context: Context,
  request: SendRequest,
  timeoutMs: number,
): Promise<SendResult> {
  const late = () => `timeout: no complete answer within ${timeoutMs} ms`;
  const deadline = new Deadline(timeoutMs);
  try {
    const found = await findDestination(request.url, { ...context.destination, timeoutMs });
    if (found.kind === 'blocked') return failed(`destination_blocked: ${found.reason}`);
    if (found.kind === 'unknown')
      return failed(found.reason === 'timeout' ? late() : `dns_error: ${found.reason}`);
    const { url, addresses } = found;
    const { headers, body } = request;
    return await context.clients.use(url.origin, addresses, deadline, (client) =>
      post(client, { path: url.pathname + url.search, headers, body }),
    );
  } catch (error) {
    const summary = deadline.aborted ? late() : networkFault(error);
    if (summary === null) throw error;
    return failed(summary);
  } finally {
    deadline.end();
  }
}

/**
 * A sender of webhooks to destinations that nobody need trust. At each send the URL is judged again and its name looked
 * up again; connections go to the vetted addresses only and are kept for two seconds. Redirects are not followed, and
 * proxy settings (HTTPS_PROXY and the like) are not honoured: a proxy would do the look-up, and with it the choice of
 * the address, out of this module's sight.
 */
export function createSender(options: SenderOptions): Sender {
  const { policy, resolve, isForbidden, timeoutMs, ca } = options;
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
