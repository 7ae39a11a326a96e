import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { ResponseTooLong } from '../failure.ts';

/** Raw bytes for one request: TLS handshake, status lines, headers, chunks and body together. */
export const rawBytesMax = 32 * 1024;
/** The least that a piece costs, so that bytes that drip one by one are few pieces too. */
const pieceBytesMin = 64;

/** What a receiver may still send for the present request. All connections of a client share it. */
export function createAllowance() {
  let left = rawBytesMax;
  let requests = 0;
  return {
    /** Grants the bytes of one more request. */
    renew: (): void => {
      left = rawBytesMax;
      requests += 1;
    },
    /** Takes a piece's bytes; returns how many of them are within the allowance. */
    take: (bytes: number): number => {
      const granted = Math.max(0, Math.min(bytes, left));
      left -= Math.max(bytes, pieceBytesMin);
      return granted;
    },
    isSpent: () => left < 0,
    /** The number of the present request. */
    request: () => requests,
  };
}
export type Allowance = ReturnType<typeof createAllowance>;

/**
 * A TCP connection that passes on no byte beyond the allowance and then breaks with
 * {@link ResponseTooLong}. It lies below TLS, because a receiver can send records that never become
 * plaintext: tickets, key updates, renegotiations.
 */
export class MeteredStream extends Duplex {
  readonly #socket: Socket;

  constructor(socket: Socket, allowance: Allowance) {
    super();
    this.#socket = socket;
    socket.on('data', (piece: Buffer) => {
      const granted = allowance.take(piece.length);
      const hasRoom = this.push(granted === piece.length ? piece : piece.subarray(0, granted));
      if (allowance.isSpent()) this.#end();
      else if (!hasRoom) socket.pause();
    });
    socket.on('end', () => this.push(null));
    socket.on('error', (error) => this.destroy(error));
    socket.on('close', () => this.destroy());
    socket.pause();
  }

  get remoteAddress(): string | undefined {
    return this.#socket.remoteAddress;
  }

  get bytesRead(): number {
    return this.#socket.bytesRead;
  }

  ref(): this {
    this.#socket.ref();
    return this;
  }

  unref(): this {
    this.#socket.unref();
    return this;
  }

  override _read(): void {
    this.#socket.resume();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#socket.write(chunk, done);
  }

  /** Headers and body in one packet: undici corks the stream between them. */
  override _writev(pieces: readonly { readonly chunk: Buffer }[], done: () => void): void {
    this.#socket.cork();
    for (const [index, { chunk }] of pieces.entries())
      this.#socket.write(chunk, index === pieces.length - 1 ? done : undefined);
    this.#socket.uncork();
  }

  override _final(done: () => void): void {
    this.#socket.end(done);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#socket.destroy();
    done(error);
  }

  /**
   * Closes the socket at once, because a paused one reads another 64 KiB. Breaks the stream when
   * its reader has seen the granted bytes: a status among them is the verdict.
   */
  #end(): void {
    this.#socket.removeAllListeners().on('error', () => undefined);
    this.#socket.destroy();
    setImmediate(() => this.destroy(new ResponseTooLong()));
  }
}
