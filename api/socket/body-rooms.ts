import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { networkOf } from '../auth/limit-by-address.ts';
import { apiError, type ApiError } from '../http/api-error.ts';
import { whenAnswered } from '../http/quotas/vendor-quotas.ts';
import { bodyLimitOf } from '../http/bodies/body-limits.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * Takes room for the bytes of a body that have arrived, and for its next piece. Throws
     * TOO_MANY_REQUESTS if there is none. Null for a call without a body.
     */
    takeRoom: ((arrivedBytes: number) => void) | null;
  }
}

const kibibyte = 1024;
const mebibyte = 1024 * kibibyte;

/** Room is taken for so much more than has arrived. */
const pieceBytes = 4 * kibibyte;
/** A larger body needs room in another room. */
const smallBytesMax = 16 * kibibyte;

/** The bytes of bodies in progress: for one key, and for all keys of a process together. */
type Room = {
  readonly max: number;
  readonly keyMax: number;
  readonly byKey: Map<string, number>;
  total: number;
};

const createRoom = (max: number, keyMax: number): Room => ({
  max,
  keyMax,
  byKey: new Map(),
  total: 0,
});

/** Adds bytes to the bytes of a key; a negative number gives them back. */
function add(room: Room, key: string, bytes: number): void {
  const own = (room.byKey.get(key) ?? 0) + bytes;
  room.total += bytes;
  if (own === 0) room.byKey.delete(key);
  else room.byKey.set(key, own);
}

const refusal = (message: string, maximum: number): ApiError =>
  apiError(
    'TOO_MANY_REQUESTS',
    { reason: 'BODIES_IN_PROGRESS', message, maximum },
    { 'retry-after': '1' },
  );

/** Throws TOO_MANY_REQUESTS if more bytes of this number exceed one of the two limits. */
function requireRoom(room: Room, key: string, bytes: number): void {
  if ((room.byKey.get(key) ?? 0) + bytes > room.keyMax)
    throw refusal(
      `The bodies of your calls in progress have more than ${room.keyMax} bytes together. ` +
        'Send the next one when one is answered.',
      room.keyMax,
    );
  if (room.total + bytes > room.max)
    throw refusal('The gateway has too many bodies in progress. Send yours again.', room.max);
}

/** Gives back the room of the requests that have some. */
const givers = new WeakMap<IncomingMessage, () => void>();

/** Gives back the room of a request whose body is no longer needed, or no longer awaited. */
export const giveRoomBack = (request: IncomingMessage): void => givers.get(request)?.();

/** Whose body it is: the vendor or operator of the token, else the network of the address. */
export function bodySender({ caller, ip }: FastifyRequest): string {
  if (caller === null) return networkOf(ip);
  return caller.side === 'vendor' ? caller.vendorId : caller.operatorId;
}

/**
 * Bounds the memory for bodies of one process. A body takes room as it arrives, never by the length
 * that it declares, and until its call is answered. Bodies of at most 16 KiB have rooms of their
 * own, so that no large body refuses them. Calls with a token and those without one have rooms of
 * their own too, so that a caller without a token stops no vendor.
 */
export function createBodyRooms(app: FastifyInstance) {
  const rooms = {
    withToken: {
      small: createRoom(32 * mebibyte, 4 * mebibyte),
      large: createRoom(64 * mebibyte, 16 * mebibyte),
    },
    withoutToken: {
      small: createRoom(16 * mebibyte, 2 * mebibyte),
      large: createRoom(16 * mebibyte, 2 * mebibyte),
    },
  };
  app.addHook('onSend', (request, _reply, _payload, done) => {
    giveRoomBack(request.raw);
    done();
  });
  return (request: FastifyRequest, reply: FastifyReply): ((arrivedBytes: number) => void) => {
    const { small, large } = rooms[request.caller === null ? 'withoutToken' : 'withToken'];
    const key = bodySender(request);
    const declared = Number(request.headers['content-length'] ?? bodyLimitOf(request));
    let room = small;
    let taken = 0;
    let isOver = false;
    const giveBack = (): void => {
      isOver = true;
      add(room, key, -taken);
      taken = 0;
    };
    return (arrivedBytes) => {
      if (isOver) throw apiError('REQUEST_TIMEOUT');
      const wanted = Math.min(arrivedBytes + pieceBytes, Math.max(declared, arrivedBytes));
      const next = wanted > smallBytesMax ? large : small;
      const kept = next === room ? taken : 0;
      if (wanted <= kept) return;
      requireRoom(next, key, wanted - kept);
      add(room, key, kept - taken);
      add(next, key, wanted - kept);
      room = next;
      if (taken === 0) {
        givers.set(request.raw, giveBack);
        whenAnswered(reply, giveBack);
      }
      taken = wanted;
    };
  };
}
