import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import {
  hostileResponses,
  type HostileKind,
} from '../../../test/guardrail/send/hostile-responses.ts';
import { answerParent } from '../fork-program.ts';

/**
 * Hostile receivers as a process of their own: the path of a request names the response that it
 * gets.
 */

const isKind = (name: string): name is HostileKind => Object.hasOwn(hostileResponses, name);

const server = createServer((socket: Socket) => {
  socket.on('error', () => undefined);
  socket.once('data', (request: Buffer) => {
    const kind = /^POST \/([\w-]+)/.exec(request.toString('latin1'))?.[1] ?? '';
    socket.resume();
    if (isKind(kind)) hostileResponses[kind](socket);
    else socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: close\r\n\r\n');
  });
});
await once(server.listen(0, '127.0.0.1'), 'listening');
// A TCP server's address is an AddressInfo; only a pipe's is a string.
const { port } = server.address() as AddressInfo;
answerParent(() => port);
