import { createSocket, type RemoteInfo, type Socket as UdpSocket } from 'node:dgram';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';
import { bigOf } from '../address-oracle.ts';
import { startTcp } from '../receiver.ts';

/** What the server says for one name and family; an empty list is an answer without data. */
export type Reply = readonly string[] | 'NXDOMAIN' | 'SERVFAIL' | 'silence';
type Family = 'A' | 'AAAA';
type Asked = {
  readonly name: string;
  readonly family: Family;
  readonly transport: 'udp' | 'tcp';
};
/** `count` is how often this name and family were asked for before. */
export type Zone = (name: string, family: Family, count: number) => Reply;

const types: Readonly<Record<number, Family>> = { 1: 'A', 28: 'AAAA' };

/** RFC 1035, 4.1.2: labels, each after its length; then type and class, of two bytes each. */
function questionOf(query: Buffer) {
  const labels: string[] = [];
  let at = 12;
  for (let size = query.readUInt8(at); size > 0; size = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + size));
    at += 1 + size;
  }
  const family = types[query.readUInt16BE(at + 1)];
  if (family === undefined) throw new Error('asked for neither A nor AAAA');
  return { name: labels.join('.'), family, bytes: query.subarray(12, at + 5) };
}

/** One record for the name at byte 12 of the message, which is the question's, to keep an hour. */
function recordOf(address: string): Buffer {
  const isIPv4 = address.includes('.');
  const [type, size] = isIPv4 ? ['0001', 4] : ['001c', 16];
  const hex = bigOf(address)
    .toString(16)
    .padStart(size * 2, '0');
  const length = size.toString(16).padStart(4, '0');
  return Buffer.from(`c00c${type}000100000e10${length}${hex}`, 'hex');
}

/** A null `reply` is an answer that was cut off. */
function messageOf(query: Buffer, question: Buffer, reply: Exclude<Reply, 'silence'> | null) {
  const records = typeof reply === 'string' ? [] : (reply ?? []).map(recordOf);
  const code = reply === 'NXDOMAIN' ? 3 : reply === 'SERVFAIL' ? 2 : 0;
  const header = Buffer.alloc(12);
  query.copy(header, 0, 0, 2);
  // An answer, recursion wanted and had; then the flag for one that was cut off.
  header.writeUInt16BE(0x8180 | (reply === null ? 0x0200 : 0) | code, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(records.length, 6);
  return Buffer.concat([header, question, ...records]);
}

/**
 * A real name server on loopback, over UDP and TCP, with every question in the order of arrival. If
 * it `truncates`, every answer over UDP is cut off. It ends with the test.
 */
export async function startFakeDns(zone: Zone, { truncates = false } = {}) {
  const asked: Asked[] = [];

  const answerTo = (query: Buffer, transport: Asked['transport']): Buffer | null => {
    const { name, family, bytes } = questionOf(query);
    const count = asked.filter((one) => one.name === name && one.family === family).length;
    asked.push({ name, family, transport });
    const reply = zone(name, family, count);
    if (reply === 'silence') return null;
    return messageOf(query, bytes, truncates && transport === 'udp' ? null : reply);
  };

  const { port, udp } = await listen((query) => answerTo(query, 'tcp'));
  udp.on('message', (query: Buffer, from: RemoteInfo) => {
    const answer = answerTo(query, 'udp');
    if (answer !== null) udp.send(answer, from.port, from.address);
  });
  return { servers: [`127.0.0.1:${port}`], asked };
}

type AnswerTo = (query: Buffer) => Buffer | null;

/**
 * One port for both transports: one that is free for TCP may be taken for UDP, and then another is
 * tried.
 */
async function listen(answerTo: AnswerTo): Promise<{ port: number; udp: UdpSocket }> {
  const port = await listenByTcp(answerTo);
  const udp = createSocket('udp4');
  udp.bind(port, '127.0.0.1');
  try {
    await once(udp, 'listening');
  } catch (error) {
    udp.close();
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')
      return listen(answerTo);
    throw error;
  }
  onTestFinished(() => void udp.close());
  return { port, udp };
}

/** Over TCP each message has its length before it (RFC 1035, 4.2.2), and may come in any pieces. */
async function listenByTcp(answerTo: AnswerTo): Promise<number> {
  const { port } = await startTcp((socket) => {
    let pending = Buffer.alloc(0);
    socket.on('data', (chunk: Buffer) => {
      pending = Buffer.concat([pending, chunk]);
      while (pending.length >= 2 && pending.length >= 2 + pending.readUInt16BE(0)) {
        const end = 2 + pending.readUInt16BE(0);
        const answer = answerTo(pending.subarray(2, end));
        pending = pending.subarray(end);
        if (answer === null) continue;
        const size = Buffer.alloc(2);
        size.writeUInt16BE(answer.length, 0);
        socket.write(Buffer.concat([size, answer]));
      }
    });
  });
  return port;
}
