import { describe, expect, test } from 'vitest';
import { checkUrl } from '../../../guardrail/url.ts';
import { policy, kindOf, reasonOf, base } from './url-fixture.ts';

// ASCII URLs have a reading of their own in `url-fuzz.test.ts`; host names have their cases in
// `url-host-name.test.ts`.

test.each([
  base,
  'https://vendor.example.org',
  'https://vendor.example.org:8443/hook?a=1&b=%20',
  'https://vendor.example.org?a=1',
  'https://vendor.example.org:08443/',
  'HTTPS://VENDOR.Example.ORG:443/hook',
  'https://bücher.example.org/',
  'https://bu\u0308cher.example.org/',
  'https://BÜCHER.example.org/',
  'https://xn--bcher-kva.example.org/',
  'https://xn--fsqu00a.xn--0zwm56d/',
  'https://xn--mgbh0fb.example.org/',
  'https://متجر.example.org/',
  'https://例え.テスト/',
  'https://0xdeadbeef.io/',
  'https://0x7f.1e/',
  'https://vendor.example.org/@me',
  'https://vendor.example.org/a:b//c;d,e=%23%5C%00%0d%0a',
  'https://vendor.example.org/größe',
  'https://vendor.example.org/../../x',
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

describe('IP addresses are refused in any notation, public ones included', () => {
  test.each([
    'https://127.0.0.1/',
    'https://8.8.8.8/',
    'https://127.1/',
    'https://0x7f.1/',
    'https://0x7f000001/',
    'https://2130706433/',
    'https://0/',
    'https://127.0.0.1./',
    'https://169.254.169.254/latest/meta-data/',
    'https://[::1]/',
    'https://[2606:4700:4700::1111]/',
    'https://[::ffff:7f00:1]/',
    'https://[64:ff9b::169.254.169.254]/',
    'https://[fe80::1%eth0]/',
    'https://[::1/',
    'https://[v1.x]/',
    'https://vendor.example.org.1/',
    'https://①②⑦.⓪.⓪.①/',
    'https://１２７.0.0.1/',
    'https://127。0。0。1/',
    'https://127%2e0%2e0%2e1/',
    'https://%31%32%37.0.0.1/',
    'https://127.0.0.\u034f1/',
    'https://127.0.0.\u00ad1/',
    'https://vendor.example.org[::1]/',
    'https://１６９.２５４.１６９.２５４/',
    'https://𝟏𝟐𝟕.𝟎.𝟎.𝟏/',
    'https://0𝘹7f.1/',
  ])('%s', (raw) => expect(kindOf(raw)).toBe('refused'));
});

describe('the string as it was written', () => {
  test.each([
    ['https://v@127.0.0.1/', /user name/],
    ['https://v:w@vendor.example.org/', /user name/],
    ['https://@vendor.example.org/', /user name/],
    ['https://:@vendor.example.org/', /user name/],
    ['https://a@b@vendor.example.org/', /user name/],
    ['https://vendor.example.org@127.0.0.1', /user name/],
    ['https://vendor.example.org#@127.0.0.1/', /fragment/],
    ['https://vendor.example.org/#', /fragment/],
    ['https://vendor.example.org/a#b', /fragment/],
    ['https://vendor.example.org/?a#b', /fragment/],
    ['https://vendor.example.org\\@127.0.0.1/', /backslash/],
    ['https:\\\\vendor.example.org/', /backslash/],
    ['https:/\\vendor.example.org/', /backslash/],
    ['https://vendor.example.org/a\\b', /backslash/],
    [' https://vendor.example.org/', /white space/],
    ['https://vendor.example.org/ ', /white space/],
    ['https://vendor.example.org/a b', /white space/],
    ['https://vendor .example.org/', /white space/],
    ['https://vendor.example.org/\u00a0', /white space/],
    ['https://vendor.example.org/\u3000', /white space/],
    ['https://vendor.example.org/\u2028', /white space/],
    ['\thttps://vendor.example.org/', /control/],
    ['ht\ntps://vendor.example.org/', /control/],
    ['https://vendor.exa\tmple.org/', /control/],
    ['https://127.0\r.0.1/', /control/],
    ['https://vendor.example.org/\0', /control/],
    ['https://vendor.example.org/\x7f', /control/],
    ['https://vendor.example.org/\x85', /control/],
    ['\x00https://vendor.example.org/', /control/],
    ['https://vendor.example.org/\u200b', /control/],
    ['https://vendor.example.org/\u202e', /control/],
    ['https://vendor.example.org/\ufeff', /control/],
    ['https://vendor.example.org/\ud800', /control/],
    ['https://loca\u00adlhost/', /control/],
    ['https:/127.0.0.1/', /two slashes/],
    ['https:vendor.example.org/', /two slashes/],
    ['https:///vendor.example.org/', /two slashes/],
    ['https:////vendor.example.org/', /two slashes/],
    ['https://', /two slashes/],
    ['https:', /two slashes/],
    ['https:?a', /two slashes/],
    ['https://?a', /parsed/],
    ['https://:443/', /parsed/],
  ])('%j is refused: %s', (raw, reason) => expect(reasonOf(raw)).toMatch(reason));
});

describe('scheme and port', () => {
  test.each([
    'http://vendor.example.org/',
    'ftp://vendor.example.org/',
    'file:///etc/passwd',
    'data:text/plain,x',
    'javascript:alert(1)',
    'blob:https://vendor.example.org/1',
    'localhost:3000',
    'vendor.example.org:443/hook',
  ])('another scheme is refused: %s', (raw) =>
    expect(reasonOf(raw)).toBe('the scheme must be https'),
  );

  test.each(['80', '22', '444', '8442', '8444', '0', '1', '65535', '44300'])(
    'port %s is refused',
    (port) =>
      expect(reasonOf(`https://vendor.example.org:${port}/`)).toBe('the port must be 443 or 8443'),
  );

  test.each(['65536', '99999999', '443a', '-1', '+443', '４４３', '', '443:443', '000443'])(
    'what is no port is refused: %j',
    (port) => expect(kindOf(`https://vendor.example.org:${port}/`)).toBe('refused'),
  );

  test('the ports are the policy’s, the default one too', () => {
    const only8443 = { ...policy, allowedPorts: [8443] };
    expect(kindOf('https://vendor.example.org/', only8443)).toBe('refused');
    expect(kindOf('https://vendor.example.org:443/', only8443)).toBe('refused');
    expect(kindOf('https://vendor.example.org:8443/', only8443)).toBe('allowed');
    expect(kindOf('https://vendor.example.org/', { ...policy, allowedPorts: [] })).toBe('refused');
  });
});
