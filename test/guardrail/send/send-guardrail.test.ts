import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Resolve } from '../../../guardrail/resolve.ts';
import { message, startReceiver, startTlsReceiver, testSender } from '../receiver.ts';
import { selfSigned } from '../self-signed.ts';

const blocked = (reason: string) => ({
  succeeded: false,
  httpStatus: null,
  errorSummary: `destination_blocked: ${reason}`,
  retryAfter: null,
});
const notPublic = blocked('the host name has an address that is not public');
const success = { succeeded: true, httpStatus: 200, errorSummary: null, retryAfter: null };

const tls = selfSigned(['vendor.example.org', 'other.example.org']);

/** Answers one list after the other, the last one again and again. */
function changing(...answers: readonly (readonly string[])[]) {
  const asked: string[] = [];
  const resolve: Resolve = async (hostname) => {
    asked.push(hostname);
    return (answers[Math.min(asked.length, answers.length) - 1] ?? []).map((address) => ({
      address,
    }));
  };
  return { asked, resolve };
}

/**
 * A receiver at vendor.example.org, and a sender for which only the given addresses are forbidden.
 */
async function setUp(resolve: Resolve, forbidden: readonly string[] = []) {
  const receiver = await startTlsReceiver(tls);
  const sender = testSender([], {
    policy: { allowedPorts: [receiver.port], allowedOrigins: [] },
    resolve,
    ca: tls.cert,
    isForbidden: (address) => forbidden.includes(address),
  });
  const send = (host = 'vendor.example.org') =>
    sender.send({ ...message, url: `https://${host}:${receiver.port}/hook` });
  return { receiver, sender, send };
}

describe('the URL is judged again at each send', () => {
  test.each([
    ['http://vendor.example.org/', 'the scheme must be https'],
    ['https://127.0.0.1/', 'the host must be a name, not an IP address'],
    ['https://v@vendor.example.org/', 'the URL must not have a user name or password'],
    ['https://localhost/', 'the host name is reserved for local use'],
    ['vendor.example.org', 'not a URL'],
  ])('%s', async (url, reason) => {
    const { asked, resolve } = changing(['8.8.8.8']);
    expect(await testSender([], { resolve }).send({ ...message, url })).toEqual(blocked(reason));
    expect(asked).toEqual([]);
  });

  test('an origin that is exempt no more is refused', async () => {
    const receiver = await startReceiver();
    expect(await testSender([receiver.origin]).send({ ...message, url: receiver.origin })).toEqual(
      success,
    );
    expect(await testSender([]).send({ ...message, url: receiver.origin })).toMatchObject({
      succeeded: false,
    });
    expect(receiver.hits).toHaveLength(1);
  });

  test('the exemption is of one origin: a look-up for another name is judged', async () => {
    const receiver = await startReceiver();
    const sender = testSender([receiver.origin], { resolve: changing(['127.0.0.1']).resolve });
    expect(await sender.send({ ...message, url: 'https://vendor.example.org/' })).toEqual(
      notPublic,
    );
  });
});

describe('the addresses are judged at each send', () => {
  test.each([
    [['127.0.0.1']],
    [['8.8.8.8', '127.0.0.1']],
    [['169.254.169.254']],
    [['::1', '2606:4700:4700::1111']],
    [['::ffff:127.0.0.1']],
    [['not an address']],
  ])('by default, with %j among the answers no connection is made', async (addresses) => {
    const receiver = await startTlsReceiver(tls);
    const policy = { allowedPorts: [receiver.port], allowedOrigins: [] };
    const sender = testSender([], { policy, resolve: changing(addresses).resolve, ca: tls.cert });
    const url = `https://vendor.example.org:${receiver.port}/`;
    expect(await sender.send({ ...message, url })).toEqual(notPublic);
    expect(receiver.sockets.accepted).toBe(0);
  });

  test('public at creation, private at the attempt: no request by an idle connection', async () => {
    const { asked, resolve } = changing(['127.0.0.1'], ['127.0.0.1', '127.0.0.9']);
    const { receiver, send } = await setUp(resolve, ['127.0.0.9']);
    expect(await send()).toEqual(success);
    expect(receiver.sockets.open.size).toBe(1);
    expect(await send()).toEqual(notPublic);
    expect(asked).toHaveLength(2);
    expect(receiver.hits).toHaveLength(1);
  });

  test('another answer never uses a connection to an earlier one', async () => {
    const { resolve } = changing(['127.0.0.1'], ['127.0.0.2'], ['127.0.0.1']);
    const { receiver, send } = await setUp(resolve);
    expect(await send()).toEqual(success);
    // No server listens there; the connection to 127.0.0.1 is still idle.
    expect(await send()).toMatchObject({ errorSummary: 'connection_refused: ECONNREFUSED' });
    expect(await send()).toEqual(success);
    expect(receiver.hits).toHaveLength(2);
    expect(receiver.sockets.accepted).toBe(1);
  });

  test('the same addresses in another order use the same connection', async () => {
    const { resolve } = changing(['127.0.0.1', '127.0.0.2'], ['127.0.0.2', '127.0.0.1']);
    const { receiver, send } = await setUp(resolve);
    expect([await send(), await send()]).toEqual([success, success]);
    expect(receiver.sockets.accepted).toBe(1);
  });

  test('two names of one address share no connection', async () => {
    const { receiver, send } = await setUp(changing(['127.0.0.1']).resolve);
    expect([await send('vendor.example.org'), await send('other.example.org')]).toEqual([
      success,
      success,
    ]);
    expect(receiver.sockets.accepted).toBe(2);
  });
});

describe('connections', () => {
  test('each vetted address is tried, in order', async () => {
    const { receiver, send } = await setUp(
      changing(['127.0.0.2', '127.0.0.3', '127.0.0.1']).resolve,
    );
    expect(await send()).toEqual(success);
    expect(receiver.hits).toHaveLength(1);
  });

  test('the name is never looked up again on the way', async () => {
    const { asked, resolve } = changing(['127.0.0.1'], ['127.0.0.9']);
    const { send } = await setUp(resolve, ['127.0.0.9']);
    expect(await send()).toEqual(success);
    expect(asked).toEqual(['vendor.example.org']);
  });

  // The kernel takes 0.0.0.0 and :: for this host: the peer is then not the address that was asked
  // for.
  test.each([['0.0.0.0'], ['::ffff:0.0.0.0']])(
    'the peer must be a vetted address: %s',
    async (address) => {
      const { receiver, send } = await setUp(changing([address]).resolve);
      expect(await send()).toEqual(blocked('the connection led to another address'));
      expect(receiver.hits).toHaveLength(0);
    },
  );

  test('a peer that is one of the vetted addresses in another spelling is right', async () => {
    const { receiver, send } = await setUp(changing(['::FFFF:7f00:1']).resolve);
    expect(await send()).toEqual(success);
    expect(receiver.hits).toHaveLength(1);
  });
});

describe('settings of the process', () => {
  const saved = { ...process.env };
  beforeEach(() => {
    Object.assign(process.env, {
      HTTPS_PROXY: 'http://127.0.0.1:1',
      https_proxy: 'http://127.0.0.1:1',
      HTTP_PROXY: 'http://127.0.0.1:1',
      ALL_PROXY: 'http://127.0.0.1:1',
      NODE_USE_ENV_PROXY: '1',
      NODE_TLS_REJECT_UNAUTHORIZED: '0',
    });
  });
  afterEach(() => {
    process.env = { ...saved };
  });

  test('proxies are not used', async () => {
    const { receiver, send } = await setUp(changing(['127.0.0.1']).resolve);
    expect(await send()).toEqual(success);
    expect(receiver.hits).toHaveLength(1);
  });

  test('certificates are checked in any case', async () => {
    const receiver = await startTlsReceiver(tls);
    const policy = { allowedPorts: [receiver.port], allowedOrigins: [] };
    const sender = testSender([], {
      policy,
      resolve: changing(['127.0.0.1']).resolve,
      isForbidden: () => false,
    });
    const { errorSummary } = await sender.send({
      ...message,
      url: `https://vendor.example.org:${receiver.port}/`,
    });
    expect(errorSummary).toBe('tls_error: DEPTH_ZERO_SELF_SIGNED_CERT');
  });
});
