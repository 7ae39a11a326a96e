import type { FastifyReply, FastifyRequest } from 'fastify';
import { networkOf } from '../../auth/limit-by-address.ts';
import { apiError, type ApiError } from '../api-error.ts';
import { whenAnswered } from './vendor-quotas.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * Counts a body of so many bytes until its answer has left; a later call of one request counts
     * what is more. Throws TOO_MANY_REQUESTS. Null for a call without a body.
     */
    reserveBytes: ((bytes: number) => void) | null;
  }
}

const mebibyte = 1024 * 1024;

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

/** Adds bytes to those of a key; a negative number gives them back. */
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

/** Throws TOO_MANY_REQUESTS if so many more bytes of a key exceed one of the two limits. */
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

/**
 * Bounds the memory for bodies of one process (D152): two of the largest bodies for each caller,
 * and for each network that has sent no token as much as two other bodies. Calls with a token and
 * those without one have a total of their own, so that a caller without a token stops no vendor.
 */
export function createBodyRooms() {
  const callers = createRoom(64 * mebibyte, 16 * mebibyte);
  const withoutToken = createRoom(16 * mebibyte, 2 * mebibyte);
  return (request: FastifyRequest, reply: FastifyReply): ((bytes: number) => void) => {
    const { caller } = request;
    const room = caller === null ? withoutToken : callers;
    const key =
      caller === null
        ? networkOf(request.ip)
        : caller.side === 'vendor'
          ? caller.vendorId
          : caller.operatorId;
    let taken = 0;
    return (bytes) => {
      const more = bytes - taken;
      if (more <= 0) return;
      requireRoom(room, key, more);
      add(room, key, more);
      taken = bytes;
      if (taken === more) whenAnswered(reply, () => add(room, key, -taken));
    };
  };
}
