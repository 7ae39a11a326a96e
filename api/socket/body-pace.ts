import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { hasBody } from '../http/bodies/body-limits.ts';

/** The slowest pace of a body, on the average (128 kbit/s). */
const bytesPerSecondMin = 16 * 1024;

/** A body that is arriving. Times count only while the gateway waits for bytes. */
type Arriving = {
  readonly request: IncomingMessage;
  /** Bytes of the connection when the body began, and when it was last looked at. */
  readonly begunBytes: number;
  bytes: number;
  quietMs: number;
  waitedMs: number;
};

const timeout = (): Error =>
  Object.assign(new Error('the body arrives too slowly'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });

/** Whether bytes that have arrived wait for the gateway, which may rest while it reads a body. */
const isBehind = ({ readableLength, socket }: IncomingMessage): boolean =>
  readableLength > 0 || socket.isPaused();

/**
 * Ends the connection of a body from which nothing arrives for `quietMsMax`, or whose pace is below
 * 16 KiB a second after that time. A large body of a steady caller has no limit of time: 8 MiB take
 * 67 seconds at 1 Mbit/s.
 */
export function limitBodyPace(
  app: FastifyInstance,
  { quietMsMax, checkMs }: { readonly quietMsMax: number; readonly checkMs: number },
): void {
  const { server } = app;
  const open = new Set<Arriving>();
  server.on('request', (request: IncomingMessage) => {
    if (!hasBody(request)) return;
    const { bytesRead } = request.socket;
    const arriving = { request, begunBytes: bytesRead, bytes: bytesRead, quietMs: 0, waitedMs: 0 };
    open.add(arriving);
    // Until the next look it would hold the request and all that the request holds.
    request.once('close', () => open.delete(arriving));
  });
  /** Adds the time since the last look; false once the body has had its time. */
  const isInTime = (arriving: Arriving, passedMs: number): boolean => {
    if (isBehind(arriving.request)) return true;
    const { bytesRead } = arriving.request.socket;
    arriving.quietMs = bytesRead === arriving.bytes ? arriving.quietMs + passedMs : 0;
    arriving.bytes = bytesRead;
    arriving.waitedMs += passedMs;
    const paceMs = ((bytesRead - arriving.begunBytes) / bytesPerSecondMin) * 1000;
    return arriving.quietMs < quietMsMax && arriving.waitedMs < quietMsMax + paceMs;
  };
  let lookedAtMs = performance.now();
  const timer = setInterval(() => {
    // The gateway may have been busy, and have read nothing meanwhile.
    const passedMs = Math.min(performance.now() - lookedAtMs, 2 * checkMs);
    lookedAtMs = performance.now();
    for (const arriving of open) {
      const { request } = arriving;
      // A request that was answered before it ended never closes.
      if (request.complete || request.socket.destroyed) open.delete(arriving);
      else if (!isInTime(arriving, passedMs)) {
        open.delete(arriving);
        server.emit('clientError', timeout(), request.socket);
      }
    }
  }, checkMs).unref();
  app.addHook('onClose', async () => {
    clearInterval(timer);
  });
}
