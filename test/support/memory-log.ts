import { Writable } from 'node:stream';
import { pino, type Logger } from 'pino';
import { loggedError } from '../../process/logging.ts';

/** A log as the processes write it, with every level, kept in memory. */
export function memoryLog(): { readonly log: Logger; readonly lines: readonly string[] } {
  const lines: string[] = [];
  const sink = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      lines.push(chunk.toString('utf8'));
      done();
    },
  });
  const log = pino({ level: 'trace', serializers: { err: loggedError, error: loggedError } }, sink);
  return { log, lines };
}
