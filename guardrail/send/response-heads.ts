import type { Duplex } from 'node:stream';
import type { Allowance } from './metered-stream.ts';

/** Bounds what each piece costs to search; a longer head goes to undici as it came. */
const headBytesMax = 16 * 1024;
/** As many interim responses as a request may get. */
const headsMax = 9;
const headEnd = Buffer.from('\r\n\r\n');
const version = 'HTTP/1.';
const nothing: Buffer = Buffer.alloc(0);

/** Whether the bytes may begin a head whose end is yet to come. */
function mayBeHead(bytes: Buffer): boolean {
  const begun = bytes.toString('latin1', 0, version.length);
  const hasBareLineEnd = /(?:^|[^\r])\n/.test(bytes.toString('latin1'));
  return version.startsWith(begun) && bytes.length <= headBytesMax && !hasBareLineEnd;
}

/**
 * A head with one Content-Length for several equal ones (RFC 9110, 8.6). Different or malformed
 * ones stay, and so does a head with a Transfer-Encoding: the parser refuses these.
 */
function withOneLength(head: string): string {
  const lines = head.split('\r\n');
  const lengths = lines.filter((line) => /^content-length:/i.test(line));
  const values = lengths.flatMap((line) => line.slice('content-length:'.length).split(','));
  const [value = ''] = values.map((each) => each.trim());
  const isSafe =
    /^\d+$/.test(value) &&
    values.every((each) => each.trim() === value) &&
    // A line that continues another one may belong to a length.
    !lines.some((line) => /^(?:[ \t]|transfer-encoding[ \t]*:|content-length[ \t]+:)/i.test(line));
  if (values.length < 2 || !isSafe) return head;
  const [statusLine = '', ...fields] = lines.filter((line) => !lengths.includes(line));
  return [statusLine, `content-length: ${value}`, ...fields].join('\r\n');
}

/** Reads the heads of the responses to one request, and returns the bytes for undici. */
function createHeads(): (piece: Buffer) => Buffer {
  let held = nothing;
  let heads = 0;
  let isPast = false;
  const passAll = (bytes: Buffer): Buffer => {
    isPast = true;
    held = nothing;
    return bytes;
  };
  const next = (): Buffer | null => {
    const end = held.indexOf(headEnd);
    if (end === -1) return mayBeHead(held) ? null : passAll(held);
    const bytes = held.subarray(0, end + headEnd.length);
    if (!mayBeHead(bytes) || heads === headsMax) return passAll(held);
    heads += 1;
    const head = bytes.toString('latin1');
    const isInterim = /^HTTP\/1\.\d 1\d\d/.test(head);
    const mended = withOneLength(head);
    const rest = held.subarray(bytes.length);
    if (!isInterim) {
      if (mended === head) return passAll(held);
      return passAll(Buffer.concat([Buffer.from(mended, 'latin1'), rest]));
    }
    held = rest;
    return /^HTTP\/1\.\d 100[ \r]/.test(head) ? nothing : bytes;
  };
  return (piece) => {
    if (isPast) return piece;
    held = held.length === 0 ? piece : Buffer.concat([held, piece]);
    const passed: Buffer[] = [];
    while (held.length > 0) {
      const bytes = next();
      if (bytes === null) break;
      passed.push(bytes);
    }
    return passed.length === 1 ? (passed[0] ?? nothing) : Buffer.concat(passed);
  };
}

/**
 * Lets undici read responses that other clients accept: it breaks a connection on `100 Continue`,
 * and its parser refuses a second Content-Length of the same value. Everything else that `stream`
 * brings passes unchanged. undici reads by `read` only.
 */
export function mendHeads<T extends Duplex>(stream: T, allowance: Allowance): T {
  const read = stream.read.bind(stream);
  let request = allowance.request();
  let pass = createHeads();
  stream.read = (size) => {
    if (allowance.request() !== request) {
      request = allowance.request();
      pass = createHeads();
    }
    for (;;) {
      const piece: unknown = read(size);
      if (!Buffer.isBuffer(piece)) return piece;
      const passed = pass(piece);
      if (passed.length > 0) return passed;
    }
  };
  return stream;
}
