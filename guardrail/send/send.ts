import { findDestination } from '../check-destination.ts';
import { createClients } from '../clients.ts';
import { closableSends } from './closable-sends.ts';
import { networkFault } from '../failure.ts';
import { post } from './post.ts';
import type { Resolve } from '../resolve.ts';
import { failed, type SendResult } from './result.ts';
import type { UrlPolicy } from '../url.ts';

export type SenderOptions = {
  readonly policy: UrlPolicy;
  /** For all origins. Default: DNS, and the operating system's resolver for exempt origins. */
  readonly resolve?: Resolve;
  /**
   * The wall-clock limit from the look-up to the end of the response; a request may have its own.
   */
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
  /** Keeps this number of bytes of the response's body, and its headers. Default: keeps nothing. */
  readonly keptBytes?: number | undefined;
};

export type { SendResult } from './result.ts';

/** The sender ended during the send. The receiver may have got the request. */
export class SenderLost extends Error {
  override readonly name = 'SenderLost';
  constructor() {
    super('the sender ended during the send');
  }
}

export type Sender = {
  /**
   * POSTs once. Every fault of the receiver or the network is a result. Rejects for mistakes of the
   * caller (a header that cannot be sent, a closed sender) and when this machine lacks resources
   * (EMFILE): these are no attempts. Rejects with {@link SenderLost} if its own thread ended.
   */
  send(request: SendRequest): Promise<SendResult>;
  /** Waits until the sends before this call have begun. Without it, a send begins at once. */
  readonly untilBegun?: () => Promise<void>;
  /** Waits for the sends in progress, then closes every connection. */
  close(): Promise<void>;
};

/**
 * Creates a sender of webhooks to untrusted destinations. Each send judges the URL and looks its
 * name up again; connections go to the vetted addresses only and stay open for two seconds. It
 * follows no redirects and ignores proxy settings such as HTTPS_PROXY: a proxy would choose the
 * address.
 */
export function createSender(options: SenderOptions): Sender {
  const { policy, resolve, isForbidden, ca } = options;
  const clients = createClients({ timeoutMs: options.timeoutMs, ca });

  async function attempt(request: SendRequest): Promise<SendResult> {
    const { url: raw, headers, body, timeoutMs = options.timeoutMs, keptBytes } = request;
    const late = `timeout: no complete answer within ${timeoutMs} ms`;
    const stop = new AbortController();
    const timer = setTimeout(() => stop.abort(), timeoutMs);
    try {
      const found = await findDestination(raw, { policy, resolve, isForbidden, timeoutMs });
      if (found.kind === 'blocked') return failed(`destination_blocked: ${found.reason}`);
      if (found.kind === 'unknown')
        return failed(found.reason === 'timeout' ? late : `dns_error: ${found.reason}`);
      const { url, addresses } = found;
      return await clients.use(url.origin, addresses, stop.signal, (client) =>
        post(client, { path: url.pathname + url.search, headers, body, keptBytes }),
      );
    } catch (error) {
      const summary = stop.signal.aborted ? late : networkFault(error);
      if (summary === null) throw error;
      return failed(summary);
    } finally {
      clearTimeout(timer);
    }
  }

  return closableSends(attempt, () => clients.close());
}
