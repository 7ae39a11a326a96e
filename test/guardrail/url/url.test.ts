import { expect, test } from 'vitest';
import { checkUrl, type UrlPolicy } from '../../../guardrail/url.ts';

// `url-fuzz.test.ts` compares ASCII URLs with a reading of their own, and tries each character in a
// host. Here are reasons, exempt origins and examples of other characters.

const policy: UrlPolicy = { allowedPorts: [443, 8443], allowedOrigins: [] };
const base = 'https://vendor.example.org/';
const kindOf = (raw: string, given = policy) => checkUrl(raw, given).kind;
const reasonOf = (raw: string) => {
  const verdict = checkUrl(raw, policy);
  return verdict.kind === 'refused' ? verdict.reason : verdict.kind;
};

test.each([
  base,
  'HTTPS://VENDOR.Example.ORG:443/hook',
  'https://bücher.example.org/',
  'https://bu\u0308cher.example.org/',
  'https://xn--bcher-kva.example.org/',
  'https://متجر.example.org/',
  'https://例え.テスト/',
  'https://vendor.example.org/größe',
  `https://${'a'.repeat(63)}.example.org/`,
  `https://${'a.'.repeat(125)}org/`,
])('accepts %s', (raw) => {
  const verdict = checkUrl(raw, policy);
  expect(verdict).toMatchObject({ kind: 'allowed', exempt: false });
  expect(verdict.kind === 'allowed' && verdict.url.href).toBe(new URL(raw).href);
});

test.each(['', ' ', 'hook', 'vendor.example.org', '//vendor.example.org/', '?a', '1https://a.b/'])(
  'refuses %j, which is no absolute URL',
  (raw) => expect(kindOf(raw)).toBe('not-a-url'),
);

// A character outside the basic plane counts once.
test.each(['a', '😀'])('accepts 2,048 code points and no more: %s', (fill) => {
  const padded = (length: number) => base + fill.repeat(length - base.length);
  expect(kindOf(padded(2048))).toBe('allowed');
  expect(kindOf(padded(2049))).toBe('not-a-url');
  expect(kindOf(padded(10_000_000))).toBe('not-a-url');
});

test.each([
  ['https://v@127.0.0.1/', /user name/],
  ['https://vendor.example.org/#', /fragment/],
  ['https://vendor.example.org\\@127.0.0.1/', /backslash/],
  [' https://vendor.example.org/', /white space/],
  ['https://vendor.example.org/ ', /white space/],
  ['https://vendor.example.org/\u00a0', /white space/],
  ['https://vendor.example.org/\u2028', /white space/],
  ['\thttps://vendor.example.org/', /control/],
  ['https://vendor.example.org/\x85', /control/],
  ['https://vendor.example.org/\u200b', /control/],
  ['https://vendor.example.org/\ud800', /control/],
  ['https://loca\u00adlhost/', /control/],
  ['https:///vendor.example.org/', /two slashes/],
  ['https://', /two slashes/],
  ['https://?a', /parsed/],
  ['http://vendor.example.org/', /scheme must be https/],
  ['vendor.example.org:443/hook', /scheme must be https/],
  ['https://vendor.example.org:80/', /port must be 443 or 8443/],
  ['https://127.0.0.1/', /must be a name, not an IP address/],
  ['https://[::1]/', /must be a name, not an IP address/],
  ['https://localhost/', /reserved for local use/],
  ['https://vendor/', /must have a dot/],
  ['https://vendor.example.org./', /must not end with a dot/],
])('refuses %j: %s', (raw, reason) => expect(reasonOf(raw)).toMatch(reason));

test.each(['https://u:hunter2@a.b/', 'hunter2://a.b/', 'https://a.b:1/#hunter2'])(
  'refuses %s without repeating it',
  (raw) => expect(reasonOf(raw)).not.toContain('hunter2'),
);

test.each([
  // An IP address in other characters.
  '①②⑦.⓪.⓪.①',
  '127。0。0。1',
  '𝟏𝟐𝟕.𝟎.𝟎.𝟏',
  // A name in other characters.
  'loca%6Chost',
  'ｌocalhost',
  'loca\u034flhost',
  'vendor。example.org',
  'ﬁ.example.org',
  '☃.example.org',
  'vendor.example.org:４４３',
  // No valid Punycode, no dot, or 254 characters.
  '例え',
  'xn--a.example.org',
  'xn--bcher-kva.xn--a.example.org',
  'xn--abc-.org',
  'xn--.example.org',
  `${'a.'.repeat(126)}ab`,
])('refuses the host %s', (host) => expect(kindOf(`https://${host}/`)).toBe('refused'));

test('allows only the ports of the policy, also the default one', () => {
  const only8443 = { ...policy, allowedPorts: [8443] };
  expect(kindOf(base, only8443)).toBe('refused');
  expect(kindOf('https://vendor.example.org:443/', only8443)).toBe('refused');
  expect(kindOf('https://vendor.example.org:8443/', only8443)).toBe('allowed');
  expect(kindOf(base, { ...policy, allowedPorts: [] })).toBe('refused');
});

const allowedOrigins = ['http://127.0.0.1:9000', 'https://receiver.local', 'http://[::1]:9000'];
const exempting = { ...policy, allowedOrigins };

test.each([
  'http://127.0.0.1:9000/hook?a=1',
  'http://127.1:9000',
  'https://receiver.local/',
  'https://RECEIVER.local:443/#x',
  'http://[::1]:9000/',
])('exempts %s', (raw) =>
  expect(checkUrl(raw, exempting)).toMatchObject({ kind: 'allowed', exempt: true }),
);

test.each([
  'http://127.0.0.1:9001/',
  'https://127.0.0.1:9000/',
  'https://a.receiver.local/',
  'http://u@127.0.0.1:9000/',
  'http://:p@127.0.0.1:9000/',
  'http://127.0.0.1:9000@evil.example.org/',
  'blob:http://127.0.0.1:9000/x',
])('does not exempt %s', (raw) => expect(kindOf(raw, exempting)).toBe('refused'));

test('judges other origins as without exempt ones', () => {
  expect(checkUrl(base, exempting)).toMatchObject({ kind: 'allowed', exempt: false });
  expect(kindOf('127.0.0.1:9000', exempting)).toBe('not-a-url');
  expect(kindOf(`http://127.0.0.1:9000/${'a'.repeat(2048)}`, exempting)).toBe('not-a-url');
});

test.each(['file:///etc/passwd', 'data:,x'])('does not exempt %s by an opaque origin', (raw) =>
  expect(kindOf(raw, { ...policy, allowedOrigins: ['null'] })).toBe('refused'),
);
