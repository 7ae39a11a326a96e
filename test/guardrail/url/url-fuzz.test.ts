import * as fc from 'fast-check';
import { isIP } from 'node:net';
import { expect, test } from 'vitest';
import { checkUrl, type UrlPolicy } from '../../../guardrail/url.ts';
import { anyCharacter } from '../../support/any-character.ts';

const policy: UrlPolicy = { allowedPorts: [443, 8443], allowedOrigins: [] };

const oneOf = (values: string) => fc.constantFrom('', ...values.split('¦'));
/** The usual value, or one of the others, which `¦` separates. */
const mostly = (usual: string, others: string) =>
  fc.oneof({ weight: 6, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: oneOf(others) });

const scheme = mostly('https', 'HTTPS¦http¦httpss¦ftp¦h¦https+x¦file¦1¦ https¦ht\ttps');
const slashes = mostly('://', ':/¦:¦:///¦//¦:\\\\¦:/\\¦: //');
const userinfo = mostly('', '@¦v@¦v:w@¦:@¦%40¦vendor.example.org@¦127.0.0.1:443@');
const number = fc.oneof(
  fc.nat(300).map(String),
  fc.nat(300).map((value) => `0x${value.toString(16)}`),
  fc.nat(300).map((value) => `0${value.toString(8)}`),
  fc.nat(0xffffffff).map(String),
  oneOf('0x¦08¦09¦256¦4294967296¦0xdeadbeef'),
);
const oddNames = oneOf(`xn¦${'a'.repeat(63)}¦${'a'.repeat(64)}¦A¦-¦a-¦_a¦a%6C¦localhost`);
const name = fc.oneof(
  { weight: 4, arbitrary: fc.stringMatching(/^[a-z0-9-]{1,8}$/) },
  { weight: 1, arbitrary: fc.stringMatching(/^[ -~]{0,6}$/) },
  { weight: 1, arbitrary: oddNames },
);
const suffix = oneOf(
  'org¦example¦io¦localhost¦local¦internal¦arpa¦home¦svc¦LAN¦corp¦onion¦1¦0x1¦a1',
);
const names = fc
  .tuple(fc.array(name, { maxLength: 4 }), suffix)
  .map(([labels, last]) => [...labels, last].join('.'));
const numbers = fc.array(number, { minLength: 1, maxLength: 5 }).map((parts) => parts.join('.'));
const host = fc.oneof(
  { weight: 6, arbitrary: names },
  { weight: 2, arbitrary: numbers },
  { weight: 1, arbitrary: fc.ipV6().map((address) => `[${address}]`) },
  { weight: 1, arbitrary: oneOf('vendor.example.org¦0xdeadbeef.io¦a.home.arpa¦a.b.¦a..b') },
);
const port = mostly('', ':443¦:8443¦:0443¦:¦:80¦:65536¦:443a¦:000443¦:8443:443¦:-1¦:4 43');
const rest = fc.oneof(
  { weight: 3, arbitrary: oneOf('/¦/hook¦?a=1¦/@me¦/a//b?c=@¦/%23%5c%00¦//127.0.0.1/') },
  { weight: 2, arbitrary: fc.stringMatching(/^[/?][!-~]{0,8}$/) },
  { weight: 1, arbitrary: fc.stringMatching(/^[ -~]{0,8}$/) },
  { weight: 1, arbitrary: oneOf('#¦/#a¦\\¦/\\a¦/ ¦\n¦/\0¦/\x7f¦/\t') },
);
const asciiUrl = fc
  .tuple(scheme, slashes, userinfo, host, port, rest)
  .map((parts) => parts.join(''))
  .filter((raw) => !/xn--/i.test(raw));

/** Anything Unicode, put somewhere into a URL that would be accepted. */
const usualUrl = 'https://vendor.example.org:8443/hook';
const mutatedUrl = fc
  .tuple(fc.string({ unit: anyCharacter, maxLength: 3 }), fc.nat(usualUrl.length))
  .map(([inserted, at]) => usualUrl.slice(0, at) + inserted + usualUrl.slice(at));

/**
 * Reads an ASCII URL with neither the URL parser nor the guardrail's expressions, and says whether
 * it may be accepted (ports 443 and 8443, no exempt origin). It takes any `xn--` label for valid
 * Punycode.
 */
function isAllowedAscii(raw: string): boolean {
  if (raw.length > 2048 || !/^[!-~]*$/.test(raw) || raw.includes('#') || raw.includes('\\'))
    return false;
  if (raw.slice(0, 8).toLowerCase() !== 'https://') return false;
  const [authority = ''] = raw.slice(8).split(/[/?]/);
  const [host = '', port = '443', ...more] = authority.split(':');
  if (more.length > 0 || !/^\d{1,5}$/.test(port) || ![443, 8443].includes(Number(port)))
    return false;
  return isAllowedHost(host.toLowerCase());
}

function isAllowedHost(host: string): boolean {
  const labels = host.split('.');
  const last = labels.at(-1) ?? '';
  // In the URL standard a last label that is a number makes the whole host an IPv4 address, or
  // nothing.
  if (labels.length < 2 || host.length > 253 || /^(?:\d*|0x[\da-f]*)$/.test(last)) return false;
  if (['localhost', 'local', 'internal', 'svc', 'lan', 'corp', 'onion'].includes(last))
    return false;
  if (last === 'arpa' && labels.at(-2) === 'home') return false;
  return labels.every(
    (label) => /^[a-z\d-]{1,63}$/.test(label) && !label.startsWith('-') && !label.endsWith('-'),
  );
}

test('agrees with a hand-written reading of any ASCII URL', () => {
  let allowed = 0;
  fc.assert(
    fc.property(asciiUrl, (raw) => {
      const isAllowed = checkUrl(raw, policy).kind === 'allowed';
      if (isAllowed) allowed += 1;
      expect({ raw, isAllowed }).toEqual({ raw, isAllowed: isAllowedAscii(raw) });
    }),
    { numRuns: 20_000 },
  );
  // The generator must reach both sides of the fence.
  expect(allowed).toBeGreaterThan(500);
});

/**
 * What must hold of an allowed URL however it was written. The regular expression is the wire's
 * view of a host.
 */
function expectHarmless(raw: string): void {
  const verdict = checkUrl(raw, policy);
  if (verdict.kind !== 'allowed') return;
  const { url } = verdict;
  expect(url.protocol).toBe('https:');
  expect(['', '8443']).toContain(url.port);
  expect(url.username + url.password + url.hash).toBe('');
  expect(url.hostname).toMatch(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/);
  expect(isIP(url.hostname)).toBe(0);
  expect(isAllowedAscii(url.href)).toBe(true);
  // Judged by its own spelling, the verdict is the same, and it names the same host.
  expect(checkUrl(url.href, policy)).toMatchObject({ kind: 'allowed' });
}

test('allows only URLs that are harmless after the URL parser has normalised them', () => {
  fc.assert(fc.property(fc.oneof(mutatedUrl, asciiUrl), expectHarmless), { numRuns: 20_000 });
});

test('allows no address or reserved name by any character within a host', () => {
  for (let code = 0; code <= 0x1ffff; code += 1) {
    const character = String.fromCodePoint(code);
    for (const host of [
      `loca${character}lhost.local${character}host`,
      `127.0.0.${character}1`,
      `${character}.localhost`,
    ]) {
      const verdict = checkUrl(`https://${host}/`, policy);
      if (verdict.kind !== 'allowed') continue;
      const { hostname } = verdict.url;
      if (isIP(hostname) !== 0 || /(^|\.)localhost$/.test(hostname))
        expect.fail(`U+${code.toString(16)} in ${host}`);
    }
  }
});

test('never throws, and distinguishes what is no URL from a refused URL', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter, maxLength: 40 }), (raw) => {
      const { kind } = checkUrl(raw, policy);
      if (URL.canParse(raw)) expect(kind).not.toBe('not-a-url');
      if (!raw.includes(':')) expect(kind).toBe('not-a-url');
    }),
    { numRuns: 10_000 },
  );
});
