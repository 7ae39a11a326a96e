import { Webhook } from 'standardwebhooks';
import * as v from 'valibot';
import { startTestReceiver, status } from '../../../support/webhooks/receiver.ts';

/** A version before the numbers sends none. */
const numbered = v.object({ sequence: v.optional(v.nullable(v.number()), null) });

/** Starts the receivers of the stories on loopback, which count what they see of the events. */
export async function startStoryReceiver() {
  const [steady, flaky] = await Promise.all([startTestReceiver(), startTestReceiver()]);
  const secrets: string[] = [];
  const accepted = new Map<string, readonly number[]>();
  const numbers = new Map<string, number | null>();
  const refused = new Set<string>();
  const spans: { readonly fromMs: number; readonly toMs: number }[] = [];
  let unverified = 0;

  const isVerified = (body: string, headers: Readonly<Record<string, string>>): boolean =>
    secrets.some((secret) => {
      try {
        new Webhook(secret).verify(body, headers);
        return true;
      } catch {
        return false;
      }
    });
  for (const [receiver, isFlaky] of [
    [steady, false],
    [flaky, true],
  ] as const)
    receiver.answerWith((response, count) => {
      const { headers, body = '' } = receiver.requests[count - 1] ?? {};
      const texts = Object.fromEntries(
        Object.entries(headers ?? {}).map(([name, value]) => [name, String(value)]),
      );
      const eventId = texts['webhook-id'] ?? '';
      const isGenuine = isVerified(body, texts);
      if (!isGenuine) unverified += 1;
      if (isFlaky && !refused.has(eventId)) {
        refused.add(eventId);
        status(503)(response);
        return;
      }
      accepted.set(eventId, [...(accepted.get(eventId) ?? []), Date.now()]);
      // A body without a valid signature may be no event, or no JSON.
      if (isGenuine) numbers.set(eventId, v.parse(numbered, JSON.parse(body)).sequence);
      status(200)(response);
    });
  return {
    origins: [steady.origin, flaky.origin],
    /** Answers each request with 200. */
    steadyUrl: steady.url,
    /** Answers the first request of each event with 503, and later ones with 200. */
    flakyUrl: flaky.url,
    /** Lets a secret verify what arrives. */
    trust: (secret: string) => secrets.push(secret),
    /** How often it answered 200 to an event. */
    accepted: (eventId: string): number => accepted.get(eventId)?.length ?? 0,
    /** The `sequence` of an event that it answered with 200; null for others. */
    receivedNumber: (eventId: string): number | null => numbers.get(eventId) ?? null,
    /** How many requests had no valid signature. */
    unverified: (): number => unverified,
    /** How often it answered 200 between two instants that the record may not know. */
    forgotten: (eventId: string): number =>
      (accepted.get(eventId) ?? []).filter((time) =>
        spans.some(({ fromMs, toMs }) => time >= fromMs && time < toMs),
      ).length,
    /** The record has forgotten what was between two instants (ms of `Date.now`). */
    forget: (fromMs: number, toMs: number) => spans.push({ fromMs, toMs }),
    close: () => Promise.all([steady.close(), flaky.close()]),
  };
}
