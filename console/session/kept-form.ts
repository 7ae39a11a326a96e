import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { FastifyRequest } from 'fastify';
import type { OperatorSessions } from '../../api/auth/operator-sessions.ts';
import { pathInConsole, sessionIdOf } from './session-cookie.ts';

/** Seals texts by authenticated encryption, each for one purpose. */
type Sealer = {
  readonly seal: (text: string, purpose: string) => Uint8Array;
  readonly open: (sealed: Uint8Array, purpose: string) => string;
};

/** The fields of a form by their names. */
export type Fields = Readonly<Record<string, string | readonly string[]>>;

/** A form that was sent after its session had ended. */
export type KeptForm = {
  readonly path: string;
  readonly fields: Fields;
  /** The operator whom its page was shown to; null if neither page nor browser says who it was. */
  readonly operatorId: string | null;
};

/** The field of each form with the id of the operator whom its page was shown to. */
export const shownToField = 'shownTo';

/** The operator whom the page of a form or a live view was shown to; null if it does not say. */
const shownToOf = ({ headers, body }: FastifyRequest): string | null =>
  [headers['x-shown-to'] ?? (body as Fields | undefined)?.[shownToField]].flat()[0] || null;

/** Whether the page of a form or a live view was shown to another operator than is signed in. */
export const isOfAnother = (request: FastifyRequest): boolean =>
  request.signedIn !== null && ![null, request.signedIn.id].includes(shownToOf(request));

const purpose = 'console, kept form';
const lifetimeMs = 30 * 60_000;
/** Above what a form may have. */
const formBytesMax = 4 * 1024 * 1024;

/**
 * Forms that the page of the sign-in keeps, so that nothing that was written is lost and no address
 * has it. Only a form that passed the check of its origin is kept, and only in a body.
 */
export const createKeptForms = (sessions: OperatorSessions, sealer: Sealer) => ({
  /** The form of a request, sealed for the page of the sign-in. */
  keep: async (request: FastifyRequest): Promise<string> => {
    const sessionId = sessionIdOf(request);
    const kept: KeptForm = {
      path: pathInConsole(request.url),
      fields: (request.body ?? {}) as Fields,
      operatorId: shownToOf(request) ?? (sessionId && (await sessions.operatorIdOf(sessionId))),
    };
    const json = JSON.stringify([Date.now() + lifetimeMs, kept]);
    const packed = deflateRawSync(json, { level: 1 }).toString('base64url');
    return Buffer.from(sealer.seal(packed, purpose)).toString('base64url');
  },
  /** Null for a text that `keep` has not made within the last 30 minutes. */
  open: (sealed: string): KeptForm | null => {
    try {
      const packed = sealer.open(Buffer.from(sealed, 'base64url'), purpose);
      const bytes = Buffer.from(packed, 'base64url');
      const json = inflateRawSync(bytes, { maxOutputLength: formBytesMax }).toString();
      const [untilMs, kept] = JSON.parse(json) as [number, KeptForm];
      return Date.now() < untilMs ? kept : null;
    } catch {
      return null;
    }
  },
});
export type KeptForms = ReturnType<typeof createKeptForms>;
