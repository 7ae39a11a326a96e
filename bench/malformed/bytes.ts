import type { ErrorCode } from '../../domain/errors.ts';
import type { Random } from './random.ts';
import type { Exchange } from './wire.ts';

/** What is sent as bytes, because no client would send it. */
export type ByteCase = {
  readonly name: string;
  readonly parts: readonly Buffer[];
  readonly end: Exchange['end'];
  /** How many answers there may be, not counting the one to what follows on the same connection (`tail`). */
  readonly answers: { readonly min: number; readonly max: number };
  readonly allowed: readonly ErrorCode[];
  /** The id of a request that is well-formed: its answer comes first, whatever is behind it. */
  readonly firstId?: string;
};

/** What bytes are made for. */
export type ByteContext = {
  readonly random: Random;
  /** Good for the vendor's routes. */
  readonly token: string;
  /** The id of an offer of that vendor. */
  readonly offerId: string;
};

export type ByteMutator = {
  readonly name: string;
  readonly make: (context: ByteContext) => Omit<ByteCase, 'name'>;
};

/** Its answer, wherever it comes, is told by this id: it is well-formed, follows what is malformed, and closes the connection. */
export const tailId = 'tail-of-the-connection';
/** A request that exists only for who reads the framing wrongly: its answer must never be seen. */
export const smuggledId = 'smuggled';

/** A request that is well-formed and has something malformed behind it. */
export const goodId = 'a-good-request';

export const crlf = '\r\n';
const close = `connection: close${crlf}`;
export const tail = `GET /api/v1/nope HTTP/1.1${crlf}host: a${crlf}x-request-id: ${tailId}${crlf}${close}${crlf}`;
export const smuggled = `GET /api/v1/nope HTTP/1.1${crlf}host: a${crlf}x-request-id: ${smuggledId}${crlf}${crlf}`;

export const malformedHttp: readonly ErrorCode[] = ['VALIDATION_ERRORS'];

/** Some are sent in two parts, cut anywhere: a parser may stop at any byte. */
export function inParts(bytes: string | Buffer, random: Random): readonly Buffer[] {
  const whole = typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes;
  if (whole.length < 2 || random.chance(0.7)) return [whole];
  const cut = 1 + random.below(whole.length - 1);
  return [whole.subarray(0, cut), whole.subarray(cut)];
}

/** What is no HTTP: one answer, and the connection closed, whatever comes after it. */
export const refused = (
  name: string,
  make: (context: ByteContext) => string | Buffer,
  allowed: readonly ErrorCode[] = malformedHttp,
): ByteMutator => ({
  name,
  make: (context) => ({
    parts: inParts(make(context), context.random),
    end: 'wait',
    answers: { min: 1, max: 1 },
    allowed,
  }),
});

/** A head, its lines given. */
export const head = (...lines: readonly string[]): string => `${lines.join(crlf)}${crlf}${crlf}`;
