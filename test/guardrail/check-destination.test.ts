import { expect, test } from 'vitest';
import { checkDestination } from '../../guardrail/check-destination.ts';
import type { Resolve } from '../../guardrail/resolve.ts';
import { answering } from './receiver.ts';

const policy = { allowedPorts: [443, 8443], allowedOrigins: ['http://localhost:9000'] };
const base = 'https://vendor.example.org/hook';

const check = (raw: string, resolve: Resolve, timeoutMs = 2000) =>
  checkDestination(raw, { policy, resolve, timeoutMs });

/** The names that a check looks up, and the kind of its verdict. */
async function lookUpsOf(raw: string) {
  const asked: string[] = [];
  const resolve: Resolve = async (hostname) => {
    asked.push(hostname);
    return [{ address: '8.8.8.8' }, { address: '2606:4700:4700::1111' }];
  };
  return [(await check(raw, resolve)).kind, ...asked];
}

test.each([
  [base, ['allowed', 'vendor.example.org']],
  // In ASCII and without the port, as at a send.
  ['https://BÜCHER.example.org:8443/', ['allowed', 'xn--bcher-kva.example.org']],
  // Without a look-up: refused, no URL, exempt.
  ['https://127.0.0.1/', ['refused']],
  ['vendor.example.org', ['not-a-url']],
  ['http://localhost:9000/', ['allowed']],
])('judges %s, and looks up: %j', async (raw, expected) => {
  expect(await lookUpsOf(raw)).toEqual(expected);
});

// `dns/dns-guardrail.test.ts` refuses names with a forbidden address.
test.each<[string, Resolve]>([
  ['no', answering()],
  ['an error as the', () => Promise.reject(new Error('no'))],
  ['a late', () => new Promise(() => undefined)],
])('allows a name with %s answer', async (_what, resolve) => {
  expect(await check(base, resolve, 20)).toMatchObject({ kind: 'allowed' });
});
