import { expect, test } from 'vitest';
import { checkDestination } from '../../guardrail/check-destination.ts';
import type { Resolve } from '../../guardrail/resolve.ts';

const policy = { allowedPorts: [443, 8443], allowedOrigins: ['http://localhost:9000'] };
const base = 'https://vendor.example.org/hook';

/** A resolver of fixed answers that counts how often it is asked, and for what. */
function fakeResolve(...addresses: readonly string[]) {
  const asked: string[] = [];
  const resolve: Resolve = async (hostname) => {
    asked.push(hostname);
    return addresses.map((address) => ({ address }));
  };
  return { asked, resolve };
}

const notFound: Resolve = () =>
  Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' }));

const check = (raw: string, resolve: Resolve, timeoutMs = 2000) =>
  checkDestination(raw, { policy, resolve, timeoutMs });

test('a name with public addresses is allowed', async () => {
  const { asked, resolve } = fakeResolve('8.8.8.8', '2606:4700:4700::1111');
  expect(await check(base, resolve)).toMatchObject({ kind: 'allowed', exempt: false });
  expect(asked).toEqual(['vendor.example.org']);
});

test('the name is looked up as it would be at a send: in ASCII, without the port', async () => {
  const { asked, resolve } = fakeResolve('8.8.8.8');
  await check('https://BÜCHER.example.org:8443/', resolve);
  expect(asked).toEqual(['xn--bcher-kva.example.org']);
});

test.each([
  ['127.0.0.1'],
  ['8.8.8.8', '192.168.0.1'],
  ['::1', '8.8.8.8'],
  ['169.254.169.254'],
  ['fe80::1%eth0'],
])(
  'a forbidden address among the answers is refused, and not named: %s %s',
  async (...addresses) => {
    const verdict = await check(base, fakeResolve(...addresses.filter(Boolean)).resolve);
    expect(verdict).toEqual({
      kind: 'refused',
      reason: 'the host name has an address that is not public',
      localOrigin: 'https://vendor.example.org',
    });
  },
);

test('no answer, an error or a late answer is allowed', async () => {
  expect(await check(base, fakeResolve().resolve)).toMatchObject({ kind: 'allowed' });
  expect(await check(base, notFound)).toMatchObject({ kind: 'allowed' });
  expect(await check(base, () => new Promise(() => undefined), 20)).toMatchObject({
    kind: 'allowed',
  });
});

test('a URL that is refused, no URL or exempt is not looked up', async () => {
  const { asked, resolve } = fakeResolve('8.8.8.8');
  expect(await check('https://127.0.0.1/', resolve)).toMatchObject({ kind: 'refused' });
  expect(await check('vendor.example.org', resolve)).toEqual({ kind: 'not-a-url' });
  expect(await check('http://localhost:9000/', resolve)).toMatchObject({
    kind: 'allowed',
    exempt: true,
  });
  expect(asked).toEqual([]);
});
