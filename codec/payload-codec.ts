import type { DataConverter, Payload, PayloadCodec } from '@temporalio/common';
import proto from '@temporalio/proto';
import {
  decrypt,
  encrypt,
  parseCipherRing,
  UnknownKeyError,
  type CipherRing,
} from '../security/cipher-ring.ts';

/**
 * Encrypts the payloads between the gateway and Temporal, so that Temporal cannot read them. A
 * payload names its key. Payloads that are not encrypted are read too.
 */

/** The first entry of TEMPORAL_PAYLOAD_KEY for a process that decrypts only. */
export const decryptsOnly = 'none';

const PayloadMessage = proto.temporal.api.common.v1.Payload;
/** The encoding of an encrypted payload, as in Temporal's own samples. */
const encoding = Buffer.from('binary/encrypted');
const keyIdField = 'encryption-key-id';
/**
 * The text that is authenticated with each payload: a payload of another protocol does not open.
 */
const context = Buffer.from('vendor-gateway temporal payload');

export const isEncrypted = ({ metadata }: Payload): boolean =>
  Buffer.from(metadata?.['encoding'] ?? []).equals(encoding);

/** The keys of TEMPORAL_PAYLOAD_KEY: whether the first encrypts, and all that decrypt. */
function readRing(text: string | undefined): { encrypts: boolean; ring: CipherRing | null } {
  const entries = text?.split(',').map((entry) => entry.trim()) ?? [];
  const encrypts = entries[0] !== decryptsOnly;
  const keys = encrypts ? entries : entries.slice(1);
  return { encrypts, ring: keys.length === 0 ? null : parseCipherRing(keys.join(',')) };
}

/** A codec with the keys of TEMPORAL_PAYLOAD_KEY. Without a key it encrypts nothing. */
export function createPayloadCodec(payloadKey: string | undefined): PayloadCodec {
  const { encrypts, ring } = readRing(payloadKey);
  const encode = (payload: Payload): Payload => {
    if (ring === null || !encrypts || isEncrypted(payload)) return payload;
    const [key] = ring;
    return {
      metadata: { encoding, [keyIdField]: Buffer.from(key.id) },
      data: encrypt(key, PayloadMessage.encode(payload).finish(), context),
    };
  };
  const decode = (payload: Payload): Payload => {
    if (!isEncrypted(payload)) return payload;
    const keyId = Buffer.from(payload.metadata?.[keyIdField] ?? []).toString('utf8');
    const key = ring?.find(({ id }) => id === keyId);
    if (key === undefined)
      throw new UnknownKeyError(keyId, 'TEMPORAL_PAYLOAD_KEY', 'a payload of Temporal');
    return PayloadMessage.decode(decrypt(key, Buffer.from(payload.data ?? []), context));
  };
  return {
    encode: (payloads) => Promise.resolve(payloads.map(encode)),
    // A rejection, also of a synchronous error.
    decode: async (payloads) => payloads.map(decode),
  };
}

/** The data converter of every client, worker and replay. */
export const dataConverterOf = ({
  TEMPORAL_PAYLOAD_KEY: payloadKey,
}: {
  readonly TEMPORAL_PAYLOAD_KEY?: string | undefined;
}): DataConverter => ({ payloadCodecs: [createPayloadCodec(payloadKey)] });
