import { setTimeout as sleep } from 'node:timers/promises';
import type { Webhook } from 'standardwebhooks';
import type { Output } from '../core/output.ts';

const firstWaitMs = 500;
const waitMsMax = 30_000;
const responseMsMax = 10_000;

/** A receiver on the vendor's machine. */
export type Receiver = {
  readonly url: URL;
  /** Signs the bodies; null sends them unsigned. */
  readonly signer: Webhook | null;
};

async function post(
  { url, signer }: Receiver,
  eventId: string,
  body: string,
  signal: AbortSignal,
): Promise<string> {
  const now = new Date();
  const signed =
    signer === null
      ? {}
      : {
          'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
          'webhook-signature': signer.sign(eventId, now, body),
        };
  // Node 20 may collect an AbortSignal.timeout within AbortSignal.any (nodejs/node#57736).
  const limit = new AbortController();
  const timer = setTimeout(() => {
    limit.abort(new DOMException('no answer in time', 'TimeoutError'));
  }, responseMsMax);
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'webhook-id': eventId, ...signed },
      body,
      redirect: 'manual',
      signal: AbortSignal.any([signal, limit.signal]),
    });
    await response.body?.cancel();
    return response.ok ? 'ok' : `answered ${response.status}`;
  } catch (error) {
    signal.throwIfAborted();
    const { cause, name } = error as Error;
    const code = (cause as { readonly code?: unknown } | undefined)?.code;
    return `did not answer (${typeof code === 'string' ? code : name})`;
  } finally {
    clearTimeout(timer);
  }
}

/** Posts a body until the receiver takes it, as the gateway repeats a delivery, but sooner. */
export async function forwardEvent(
  receiver: Receiver,
  { eventId, body }: { readonly eventId: string; readonly body: string },
  { output, signal }: { readonly output: Output; readonly signal: AbortSignal },
): Promise<void> {
  for (let waitMs = firstWaitMs; ; waitMs = Math.min(2 * waitMs, waitMsMax)) {
    const outcome = await post(receiver, eventId, body, signal);
    if (outcome === 'ok') return;
    output.note(`${receiver.url.origin} ${outcome}; again in ${waitMs / 1000} s`);
    await sleep(waitMs, undefined, { signal });
  }
}
