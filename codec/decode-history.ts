import type { Client } from '@temporalio/client';
import type { Payload, PayloadCodec } from '@temporalio/common';
import type { History } from '@temporalio/common/lib/proto-utils.js';
import { isEncrypted } from './payload-codec.ts';

/**
 * Decrypts the payloads of a history in place, and returns it. The SDK decodes payloads when a
 * worker replays a history, not when a client fetches one. Throws UnknownKeyError.
 */
export async function decodeHistory(client: Client, history: History): Promise<History> {
  const codecs = client.options.loadedDataConverter.payloadCodecs;
  await decodeWithin(codecs, { history });
  return history;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !ArrayBuffer.isView(value);

/** A payload is the only message with a map named `metadata`. */
const isPayload = (value: Record<string, unknown>): boolean =>
  isObject(value['metadata']) && isEncrypted(value);

async function decodeWithin(
  codecs: readonly PayloadCodec[],
  message: Record<string, unknown>,
): Promise<void> {
  for (const [name, value] of Object.entries(message)) {
    if (!isObject(value)) continue;
    if (isPayload(value)) message[name] = await decodePayload(codecs, value);
    else await decodeWithin(codecs, value);
  }
}

async function decodePayload(codecs: readonly PayloadCodec[], payload: Payload): Promise<Payload> {
  let payloads = [payload];
  for (const codec of codecs.toReversed()) payloads = await codec.decode(payloads);
  return payloads[0] ?? payload;
}
