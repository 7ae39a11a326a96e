import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { orderKeyOf } from '../delivery/order-key.ts';
import { monotonicMs } from '../measures/clock.ts';
import type { Arrival, ReceiverQuestion } from './receiver.ts';

/**
 * A vendor's receiver as a process of its own, so that its work is not counted as the gateway's.
 */

let failing = 0;
let arrivals: Arrival[] = [];

const tell = (answer: unknown): void => {
  process.send?.(answer);
};

const server = createServer((request, response) => {
  const at = monotonicMs();
  const status = Math.random() < failing ? 500 : 200;
  const arrival = { eventId: String(request.headers['webhook-id']), orderKey: '', at, status };
  arrivals.push(arrival);
  const answer = async (): Promise<void> => {
    arrival.orderKey = orderKeyOf(await text(request));
    response.writeHead(status).end();
  };
  // A sender that is killed during its request needs no answer.
  answer().catch(() => response.destroy());
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  // A TCP server's address is an AddressInfo; only a pipe's is a string.
  tell({ port: (server.address() as AddressInfo).port });
});

process.on('message', (question: ReceiverQuestion) => {
  if (question.ask === 'count') tell({ count: arrivals.length });
  else if (question.ask === 'arrivals') tell({ arrivals });
  else {
    arrivals = [];
    failing = question.failing;
    tell({});
  }
});
process.once('disconnect', () => process.exit(0));
