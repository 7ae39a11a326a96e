import { createThreadSender } from '../../../deliveries/sender/thread-sender.ts';

/** A process whose sender's thread has failed to send once, and which runs until it is killed. */

const policy = { allowedPorts: [443], allowedOrigins: [] };
const sender = createThreadSender({ policy, timeoutMs: 1000 });
await sender.send({ url: 'https://localhost/', headers: {}, body: '' });
process.stdout.write('sent\n');
setInterval(() => undefined, 60_000);
