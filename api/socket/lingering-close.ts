import type { Duplex } from 'node:stream';

const drainMs = 2000;

/**
 * Closes a connection 2 s after the response. An immediate close would reset a connection on which
 * the caller still sends, and the reset could arrive before the response (RFC 9112, 9.6).
 */
export function lingeringClose(socket: Duplex): NodeJS.Timeout {
  const timer = setTimeout(() => socket.destroy(), drainMs).unref();
  socket.once('close', () => {
    clearTimeout(timer);
  });
  return timer;
}
