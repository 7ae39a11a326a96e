import { Webhook } from 'standardwebhooks';
import * as v from 'valibot';
import { startTestReceiver, status } from '../../../support/webhooks/receiver.ts';

/** A version before the numbers sends none. */
const numbered = v.object({ sequence: v.optional(v.nullable(v.number()), null) });

/** What a vendor's receiver saw of the events. */
export type StoryReceiver = {
  readonly origins: readonly string[];
  /** Answers each request with 200. */
  readonly steadyUrl: string;
  /** Answers the first request of each event with 503, and later ones with 200. */
  readonly flakyUrl: string;
  /** Lets a secret verify what arrives. */
  readonly trust: (secret: string) => void;
  /** How often it answered 200 to an event. */
  readonly accepted: (eventId: string) => number;
  /** The `sequence` of an event that it answered with 200; null for others. */
  readonly receivedNumber: (eventId: string) => number | null;
  /** How many requests had no valid signature. */
  readonly unverified: () => number;
  /** How often it did so between two instants of which the record may know nothing. */
  readonly forgotten: (eventId: string) => number;
  /** The record has forgotten what was between two instants (ms of `Date.now`). */
  readonly forget: (fromMs: number, toMs: number) => void;
  readonly close: () => Promise<void>;
};

/** Starts the receivers of the stories on loopback. */
export async function startStoryReceiver(): Promise<StoryReceiver> {
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
    steadyUrl: steady.url,
    flakyUrl: flaky.url,
    trust: (secret) => secrets.push(secret),
    accepted: (eventId) => accepted.get(eventId)?.length ?? 0,
    receivedNumber: (eventId) => numbers.get(eventId) ?? null,
    unverified: () => unverified,
    forgotten: (eventId) =>
      (accepted.get(eventId) ?? []).filter((time) =>
        spans.some(({ fromMs, toMs }) => time >= fromMs && time < toMs),
      ).length,
    forget: (fromMs, toMs) => {
      spans.push({ fromMs, toMs });
    },
    close: async () => {
      await Promise.all([steady.close(), flaky.close()]);
    },
  };
}
