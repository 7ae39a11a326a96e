import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { listen } from '../../../process/health/listen.ts';
import { orderKeyOf } from '../delivery/order-key.ts';
import { answerParent } from '../fork-program.ts';
import { monotonicMs } from '../measures/clock.ts';
import type { Arrival, ReceiverReply, ReceiverQuestion } from './receiver.ts';

/**
 * A vendor's receiver as a process of its own, so that its work is not counted as the gateway's.
 */

let failing = 0;
let arrivals: Arrival[] = [];

const server = createServer((request, response) => {
  const at = monotonicMs();
  const status = Math.random() < failing ? 500 : 200;
  const arrival = { eventId: String(request.headers['webhook-id']), orderKey: '', at, status };
  arrivals.push(arrival);
  const answer = async (): Promise<void> => {
    arrival.orderKey = orderKeyOf(await text(request));
    response.writeHead(status).end();
  };
  // A sender that is killed during its request needs no response.
  answer().catch(() => response.destroy());
});
server.keepAliveTimeout = 60_000;
const origin = await listen(server, { host: '127.0.0.1', port: 0 });

answerParent((question: ReceiverQuestion): ReceiverReply => {
  if (question.ask === 'origin') return { origin };
  if (question.ask === 'count') return { count: arrivals.length };
  if (question.ask === 'arrivals') return { arrivals };
  arrivals = [];
  failing = question.failing;
  return {};
});
