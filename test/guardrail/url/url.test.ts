import { describe, expect, test } from 'vitest';
import { checkUrl } from '../../../guardrail/url.ts';
import { policy, kindOf, reasonOf, base } from './url-fixture.ts';

// `url-fuzz.test.ts` compares ASCII URLs with a reading of their own. Here are reasons and URLs of
// other characters; host names have their cases in
// `url-host-name.test.ts`.

test.each([
  base,
  'HTTPS://VENDOR.Example.ORG:443/hook',
  'https://bücher.example.org/',
  'https://bu\u0308cher.example.org/',
  'https://BÜCHER.example.org/',
  'https://xn--bcher-kva.example.org/',
  'https://xn--fsqu00a.xn--0zwm56d/',
  'https://xn--mgbh0fb.example.org/',
  'https://متجر.example.org/',
  'https://例え.テスト/',
  'https://vendor.example.org/größe',
  `https://${'a'.repeat(63)}.example.org/`,
  `https://${'a.'.repeat(125)}org/`,
])('accepted: %s', (raw) => {
  const verdict = checkUrl(raw, policy);
  expect(verdict).toMatchObject({ kind: 'allowed', exempt: false });
  expect(verdict.kind === 'allowed' && verdict.url.href).toBe(new URL(raw).href);
});

test.each([
  '',
  ' ',
  'x',
  'hook',
  'vendor.example.org',
  '/hook',
  '//vendor.example.org/',
  '?a',
  '#a',
  '1https://a.b/',
  '://a.b',
])('no absolute URL at all: %j', (raw) => expect(kindOf(raw)).toBe('not-a-url'));

const padded = (length: number, fill = 'a') => base + fill.repeat(length - base.length);

describe('length, in code points', () => {
  test('2,048 are accepted and 2,049 are no URL', () => {
    expect(kindOf(padded(2048))).toBe('allowed');
    expect(kindOf(padded(2049))).toBe('not-a-url');
    expect(kindOf('a'.repeat(10_000_000))).toBe('not-a-url');
  });

  test('a character outside the basic plane counts once', () => {
    expect(kindOf(padded(2048, '😀'))).toBe('allowed');
    expect(kindOf(padded(2049, '😀'))).toBe('not-a-url');
  });
});

test.each([
  'https://①②⑦.⓪.⓪.①/',
  'https://１２７.0.0.1/',
  'https://127。0。0。1/',
  'https://127.0.0.\u034f1/',
  'https://127.0.0.\u00ad1/',
  'https://１６９.２５４.１６９.２５４/',
  'https://𝟏𝟐𝟕.𝟎.𝟎.𝟏/',
  'https://0𝘹7f.1/',
])('an IP address in other characters is refused: %s', (raw) =>
  expect(kindOf(raw)).toBe('refused'),
);

describe('the string as it was written', () => {
  test.each([
    ['https://v@127.0.0.1/', /user name/],
    ['https://v:w@vendor.example.org/', /user name/],
    ['https://vendor.example.org#@127.0.0.1/', /fragment/],
    ['https://vendor.example.org/#', /fragment/],
    ['https://vendor.example.org\\@127.0.0.1/', /backslash/],
    ['https:\\\\vendor.example.org/', /backslash/],
    [' https://vendor.example.org/', /white space/],
    ['https://vendor.example.org/ ', /white space/],
    ['https://vendor.example.org/a b', /white space/],
    ['https://vendor.example.org/\u00a0', /white space/],
    ['https://vendor.example.org/\u3000', /white space/],
    ['https://vendor.example.org/\u2028', /white space/],
    ['\thttps://vendor.example.org/', /control/],
    ['https://vendor.example.org/\0', /control/],
    ['https://vendor.example.org/\x85', /control/],
    ['https://vendor.example.org/\u200b', /control/],
    ['https://vendor.example.org/\u202e', /control/],
    ['https://vendor.example.org/\ufeff', /control/],
    ['https://vendor.example.org/\ud800', /control/],
    ['https://loca\u00adlhost/', /control/],
    ['https:vendor.example.org/', /two slashes/],
    ['https:///vendor.example.org/', /two slashes/],
    ['https://', /two slashes/],
    ['https://?a', /parsed/],
  ])('%j is refused: %s', (raw, reason) => expect(reasonOf(raw)).toMatch(reason));
});

describe('scheme and port', () => {
  test.each([
    'http://vendor.example.org/',
    'data:text/plain,x',
    'blob:https://vendor.example.org/1',
    'vendor.example.org:443/hook',
  ])('another scheme is refused: %s', (raw) =>
    expect(reasonOf(raw)).toBe('the scheme must be https'),
  );

  test.each(['80', '65535'])('port %s is refused', (port) =>
    expect(reasonOf(`https://vendor.example.org:${port}/`)).toBe('the port must be 443 or 8443'),
  );

  test('a port of other digits is refused', () =>
    expect(kindOf('https://vendor.example.org:４４３/')).toBe('refused'));

  test('the ports are the policy’s, the default one too', () => {
    const only8443 = { ...policy, allowedPorts: [8443] };
    expect(kindOf('https://vendor.example.org/', only8443)).toBe('refused');
    expect(kindOf('https://vendor.example.org:443/', only8443)).toBe('refused');
    expect(kindOf('https://vendor.example.org:8443/', only8443)).toBe('allowed');
    expect(kindOf('https://vendor.example.org/', { ...policy, allowedPorts: [] })).toBe('refused');
  });
});
