import { describe, expect, test } from 'vitest';
import { checkUrl } from '../../../guardrail/url.ts';
import { policy, kindOf, reasonOf, base } from './url-fixture.ts';

describe('the host name', () => {
  test.each([
    'loca%6Chost',
    'localhost%2eexample.org',
    'ｌocalhost',
    'ⓛocalhost.example.org',
    'loca\u034flhost',
    'x.loca\u034flhost',
    'ｖendor.example.org',
    'vendor。example.org',
    'vendor．example.org',
    'vendor\u2024example.org',
    'ﬁ.example.org',
    'vendor\u2100.example.org',
    '☃.example.org',
  ])('in disguise, refused: %s', (host) => expect(kindOf(`https://${host}/`)).toBe('refused'));

  test.each([
    '例え',
    'xn--a.example.org',
    'xn--zzzzzz9999.example.org',
    'xn--bcher-kva.xn--a.example.org',
    'vendor.xn--a',
    'xn--abc-.org',
    'xn--localhost-',
    'xn--.example.org',
    `${'a.'.repeat(126)}ab`,
  ])('no valid Punycode, no dot, or 254 characters, refused: %s', (host) =>
    expect(kindOf(`https://${host}/`)).toBe('refused'),
  );

  test('the reason fits', () => {
    expect(reasonOf('https://127.0.0.1/')).toBe('the host must be a name, not an IP address');
    expect(reasonOf('https://[::1]/')).toBe('the host must be a name, not an IP address');
    expect(reasonOf('https://localhost/')).toBe('the host name is reserved for local use');
    expect(reasonOf('https://vendor/')).toBe('the host name must have a dot');
    expect(reasonOf('https://vendor.example.org./')).toBe('the host name must not end with a dot');
  });
});

describe('exempt origins', () => {
  const allowedOrigins = [
    'http://127.0.0.1:9000',
    'https://receiver.local',
    'http://localhost:3000',
    'http://[::1]:9000',
  ];
  const exempting = { ...policy, allowedOrigins };

  test.each([
    'http://127.0.0.1:9000/hook?a=1',
    'http://127.1:9000',
    'https://receiver.local/',
    'https://RECEIVER.local:443/#x',
    'http://localhost:3000/',
    'http://[::1]:9000/',
  ])('%s is let through', (raw) =>
    expect(checkUrl(raw, exempting)).toMatchObject({ kind: 'allowed', exempt: true }),
  );

  test.each([
    'http://127.0.0.1/',
    'http://127.0.0.1:9001/',
    'https://127.0.0.1:9000/',
    'http://127.0.0.2:9000/',
    'https://receiver.local:8443/',
    'http://receiver.local/',
    'https://a.receiver.local/',
    'http://u@127.0.0.1:9000/',
    'http://u:p@127.0.0.1:9000/',
    'http://:p@127.0.0.1:9000/',
    'http://127.0.0.1:9000@evil.example.org/',
    'blob:http://127.0.0.1:9000/x',
    'ws://127.0.0.1:9000/',
    'ftp://127.0.0.1:9000/',
  ])('%s is not', (raw) => expect(kindOf(raw, exempting)).toBe('refused'));

  test('everything else stays as it is', () => {
    expect(checkUrl(base, exempting)).toMatchObject({ kind: 'allowed', exempt: false });
    expect(kindOf('127.0.0.1:9000', exempting)).toBe('not-a-url');
    expect(kindOf(`http://127.0.0.1:9000/${'a'.repeat(2048)}`, exempting)).toBe('not-a-url');
  });

  test('the opaque origin exempts nothing', () => {
    const opaque = { ...policy, allowedOrigins: ['null'] };
    expect(kindOf('file:///etc/passwd', opaque)).toBe('refused');
    expect(kindOf('data:,x', opaque)).toBe('refused');
  });
});

test('a reason repeats nothing of the URL', () => {
  for (const raw of [
    'https://u:hunter2@a.b/',
    'https://hunter2/',
    'hunter2://a.b/',
    'https://a.b:1/#hunter2',
  ]) {
    expect(reasonOf(raw)).not.toContain('hunter2');
  }
});
