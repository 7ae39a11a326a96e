import { expect, onTestFinished, test, vi } from 'vitest';
import type { Resolve } from '../../../guardrail/resolve.ts';
import {
  answering,
  failure,
  loopbackSender,
  message,
  startReceiver,
  startTlsReceiver,
  success,
  testSender,
  urlOf,
} from '../receiver.ts';
import { selfSigned } from '../self-signed.ts';

const blocked = (reason: string) => failure(`destination_blocked: ${reason}`);
const notPublic = blocked('the host name has an address that is not public');
const tls = selfSigned(['vendor.example.org', 'other.example.org']);

/** Answers one list after the other, the last one again and again. */
function changing(...answers: readonly (readonly string[])[]) {
  const asked: string[] = [];
  const resolve: Resolve = async (hostname, signal) => {
    asked.push(hostname);
    const addresses = answers[Math.min(asked.length, answers.length) - 1] ?? [];
    return answering(...addresses)(hostname, signal);
  };
  return { asked, resolve };
}

/**
 * A receiver at vendor.example.org, and a sender for which only the given addresses are forbidden.
 */
async function setUp(answers: readonly (readonly string[])[], forbidden: readonly string[] = []) {
  const receiver = await startTlsReceiver(tls);
  const { asked, resolve } = changing(...answers);
  const sender = loopbackSender(receiver.port, {
    resolve,
    ca: tls.cert,
    isForbidden: (address) => forbidden.includes(address),
  });
  const send = (name?: string) => sender.send({ ...message, url: urlOf(receiver.port, name) });
  return { receiver, asked, send };
}

// The rules of a URL and of an address have their cases in `url/` and `address.test.ts`.

test.each([
  ['https://127.0.0.1/', 'the host must be a name, not an IP address'],
  ['vendor.example.org', 'not a URL'],
])('judges the URL %s again at each send', async (url, reason) => {
  const { asked, resolve } = changing(['8.8.8.8']);
  expect(await testSender([], { resolve }).send({ ...message, url })).toEqual(blocked(reason));
  expect(asked).toEqual([]);
});

test('exempts one origin only, and only under a policy that names it', async () => {
  const { origin, hits } = await startReceiver();
  const exempting = testSender([origin], { resolve: answering('127.0.0.1') });
  expect(await exempting.send({ ...message, url: origin })).toEqual(success);
  const other = 'https://vendor.example.org/';
  expect(await exempting.send({ ...message, url: other })).toEqual(notPublic);
  const { succeeded } = await testSender([]).send({ ...message, url: origin });
  expect([succeeded, hits.length]).toEqual([false, 1]);
});

test.each(['8.8.8.8 127.0.0.1', '::ffff:127.0.0.1', 'no-address'])(
  'connects to no address by default when the answers are %s',
  async (addresses) => {
    const { port, sockets } = await startTlsReceiver(tls);
    const resolve = answering(...addresses.split(' '));
    const policy = { allowedPorts: [port], allowedOrigins: [] };
    const sender = testSender([], { policy, resolve, ca: tls.cert });
    expect(await sender.send({ ...message, url: urlOf(port) })).toEqual(notPublic);
    expect(sockets.accepted).toBe(0);
  },
);

test('sends nothing over an idle connection once the name has a private address', async () => {
  const answers = [['127.0.0.1'], ['127.0.0.1', '127.0.0.9']];
  const { receiver, asked, send } = await setUp(answers, ['127.0.0.9']);
  expect(await send()).toEqual(success);
  // Each send looks the name up once.
  expect(asked).toEqual(['vendor.example.org']);
  expect(receiver.sockets.open.size).toBe(1);
  expect(await send()).toEqual(notPublic);
  expect(asked).toHaveLength(2);
  expect(receiver.hits).toHaveLength(1);
});

test('uses only connections to addresses of the present look-up', async () => {
  const { receiver, send } = await setUp([['127.0.0.1'], ['127.0.0.2'], ['127.0.0.1']]);
  expect(await send()).toEqual(success);
  // No server listens there; the connection to 127.0.0.1 is still idle.
  expect(await send()).toEqual(failure('connection_refused: ECONNREFUSED'));
  expect(await send()).toEqual(success);
  expect(receiver.hits).toHaveLength(2);
  expect(receiver.sockets.accepted).toBe(1);
});

test.each([
  ['one name with its addresses in another order', 1, 'vendor'],
  ['two names with the same addresses', 2, 'other'],
])('opens connections for %s: %d', async (_what, accepted, second) => {
  const addresses = ['127.0.0.1', '127.0.0.2'];
  const { receiver, send } = await setUp([addresses, addresses.toReversed()]);
  expect([await send('vendor'), await send(second)]).toEqual([success, success]);
  expect(receiver.sockets.accepted).toBe(accepted);
});

test('tries each vetted address in order', async () => {
  const { receiver, send } = await setUp([['127.0.0.2', '127.0.0.3', '127.0.0.1']]);
  expect(await send()).toEqual(success);
  expect(receiver.hits).toHaveLength(1);
});

// The kernel takes 0.0.0.0 and :: for this host: the peer is then not the address that was asked
// for.
test.each(['0.0.0.0', '::ffff:0.0.0.0'])('blocks a peer that was not vetted: %s', async (to) => {
  const { receiver, send } = await setUp([[to]]);
  expect(await send()).toEqual(blocked('the connection led to another address'));
  expect(receiver.hits).toHaveLength(0);
});

test('accepts a peer that is a vetted address in another spelling', async () => {
  const { send } = await setUp([['::FFFF:7f00:1']]);
  expect(await send()).toEqual(success);
});

test('uses no proxy of the environment', async () => {
  const proxies = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'ALL_PROXY'];
  for (const name of proxies) vi.stubEnv(name, 'http://127.0.0.1:1');
  vi.stubEnv('NODE_USE_ENV_PROXY', '1');
  onTestFinished(() => void vi.unstubAllEnvs());
  const { receiver, send } = await setUp([['127.0.0.1']]);
  expect(await send()).toEqual(success);
  expect(receiver.hits).toHaveLength(1);
});

test('checks certificates even if the environment says not to', async () => {
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
  onTestFinished(() => void vi.unstubAllEnvs());
  const { receiver } = await setUp([['127.0.0.1']]);
  expect(
    await loopbackSender(receiver.port).send({ ...message, url: urlOf(receiver.port) }),
  ).toEqual(failure('tls_error: DEPTH_ZERO_SELF_SIGNED_CERT'));
});
