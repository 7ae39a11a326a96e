import type { Duplex } from 'node:stream';

const drainMs = 2000;

/**
 * Leaves a caller some time to read what it was told, and to send what it is still sending: a connection that is closed at once
 * answers that with a reset, which overtakes the answer (RFC 9112, 9.6).
 */
export function lingeringClose(socket: Duplex): NodeJS.Timeout {
  const timer = setTimeout(() => socket.destroy(), drainMs).unref();
  socket.once('close', () => {
    clearTimeout(timer);
  });
  return timer;
}
