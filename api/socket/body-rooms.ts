import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { apiError, tooManyAtOnce, type ApiError } from '../http/api-error.ts';
import { whenAnswered } from '../http/quotas/vendor-quotas.ts';
import { bodyLimitOf } from '../http/bodies/body-limits.ts';
import { senderOf } from './sender.ts';

const kibibyte = 1024;
const mebibyte = 1024 * kibibyte;

/** Room is taken for so much more than has arrived. */
const pieceBytes = 4 * kibibyte;
/** A larger body needs room in another room. */
const smallBytesMax = 16 * kibibyte;

const refusal = (message: string, maximum: number): ApiError =>
  tooManyAtOnce('BODIES_IN_PROGRESS', message, { maximum });

/** Room for the bytes of bodies in progress: of one sender, and of all of a process together. */
function createRoom(max: number, ofSenderMax: number) {
  const bySender = new Map<string, number>();
  let total = 0;
  const bytesOf = (sender: string): number => bySender.get(sender) ?? 0;
  return {
    /** Throws TOO_MANY_REQUESTS if more bytes of this number exceed one of the two limits. */
    require: (sender: string, bytes: number): void => {
      if (bytesOf(sender) + bytes > ofSenderMax)
        throw refusal(
          `The bodies of your calls in progress have more than ${ofSenderMax} bytes together. ` +
            'Send the next one when one is answered.',
          ofSenderMax,
        );
      if (total + bytes > max)
        throw refusal('The gateway has too many bodies in progress. Send yours again.', max);
    },
    /** Takes room; a negative number gives it back. */
    take: (sender: string, bytes: number): void => {
      total += bytes;
      bySender.set(sender, bytesOf(sender) + bytes);
      if (bytesOf(sender) === 0) bySender.delete(sender);
    },
  };
}

/** What gives back the room of each request that has some. */
const givers = new WeakMap<IncomingMessage, () => void>();

/** Gives back the room of a request whose body is no longer needed, or no longer awaited. */
export const giveRoomBack = (request: IncomingMessage): void => givers.get(request)?.();

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
    const sender = senderOf(request.caller, request.ip);
    const declared = Number(request.headers['content-length'] ?? bodyLimitOf(request));
    let room = small;
    let taken = 0;
    let isOver = false;
    const giveBack = (): void => {
      isOver = true;
      room.take(sender, -taken);
      taken = 0;
    };
    return (arrivedBytes) => {
      if (isOver) throw apiError('REQUEST_TIMEOUT');
      const wanted = Math.min(arrivedBytes + pieceBytes, Math.max(declared, arrivedBytes));
      const next = wanted > smallBytesMax ? large : small;
      const kept = next === room ? taken : 0;
      if (wanted <= kept) return;
      next.require(sender, wanted - kept);
      room.take(sender, kept - taken);
      next.take(sender, wanted - kept);
      room = next;
      if (taken === 0) {
        givers.set(request.raw, giveBack);
        whenAnswered(reply, giveBack);
      }
      taken = wanted;
    };
  };
}
