import { expect, test } from 'vitest';
import { responseBytesKept, readableResponse } from '../../security/readable-response.ts';
import { redactText } from '../../security/redact-text.ts';
import { repeatedForms } from '../../security/webhook-signature.ts';

const received = (text: string | Uint8Array, contentType: string | undefined = 'text/plain') => {
  const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text;
  return {
    headers: contentType === '' ? {} : { 'content-type': contentType },
    body: bytes.slice(0, responseBytesKept),
    bodyBytes: bytes.length,
  };
};
const bodyOf = (text: string | Uint8Array, contentType?: string, known: readonly string[] = []) =>
  readableResponse(received(text, contentType), known).body;

const jwt = `eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiJhYmMifQ.${'s'.repeat(43)}`;

const hexOf = (character: string): string => character.charCodeAt(0).toString(16).padStart(4, '0');

test.for([
  ['whsec_7n2JY0c0m1x8QqvVb3l4ZtJ9w5kq0rXo2uHnS6yF1aE=', '[redacted]'],
  ['x vs_3kT9dWqZ0bXn5sFhJr7mLc2vYp8eRg1aUo4iNt6xQwE y', 'x [redacted] y'],
  ['os_8vL2pZ7cYkQ4tWn0RxBd5mJf9gHs1aEu6iOy3rKqTzM', '[redacted]'],
  [`got ${jwt}.`, 'got [redacted].'],
  [`v1,${'a'.repeat(43)}=`, '[redacted]'],
  ['saw Bearer abcdef0123456789', 'saw Bearer [redacted]'],
  ['{"authorization": "Token a b c", "x": 1}', '{"authorization": [redacted], "x": 1}'],
  ['{\\"password\\":\\"hunter2\\"}', '{\\"password\\":[redacted]}'],
  ['password=hunter2&user=me', 'password=[redacted]&user=me'],
  ['set-cookie: sid=1234567', 'set-cookie: [redacted]'],
  ['https://me:hunter2@example.org/x', 'https://[redacted]@example.org/x'],
  ['-----BEGIN PRIVATE KEY-----\nMIIB\n-----END PRIVATE KEY-----', '[redacted]'],
  ['no secret: order 17 is unknown', 'no secret: [redacted] 17 is unknown'],
  ['an ordinary text of a shipment.', 'an ordinary text of a shipment.'],
] as const)('replaces what looks like a secret: %s', ([text, expected]) => {
  expect(redactText(text)).toBe(expected);
});

/** How receivers write a text of their request into their response. */
const escapes: Readonly<Record<string, (text: string) => string>> = {
  'as it is': (text) => text,
  'JSON.stringify': (text) => JSON.stringify(text).slice(1, -1),
  'PHP json_encode': (text) =>
    JSON.stringify(text)
      .slice(1, -1)
      .replaceAll('/', String.raw`\/`),
  '.NET JsonSerializer': (text) =>
    text.replaceAll(/["&'+<>`\\]/g, (each) => String.raw`\u` + hexOf(each).toUpperCase()),
  'each character as \\u': (text) =>
    Array.from(text, (each) => String.raw`\u` + hexOf(each)).join(''),
  'a component of a URL': encodeURIComponent,
  'a form': (text) => new URLSearchParams({ a: text }).toString().slice(2),
  'each byte of a URL in lower case': (text) =>
    Array.from(text, (character) => `%${character.charCodeAt(0).toString(16)}`).join(''),
  HTML: (text) =>
    text
      .replaceAll('&', '&amp;')
      .replaceAll('"', '&quot;')
      .replaceAll("'", '&#39;')
      .replaceAll('<', '&lt;')
      .replaceAll('+', '&#x2B;'),
};
const secrets = [
  'a "quoted" \\ value',
  "k/ey+with=all&of<the>spe'cial`characters",
  'has %41 and &amp; of its own',
  'v1,5J/6+8kQvVb3l4ZtJ9w5kq0rXo2uHnS6yF1aEQJd=',
];

test.for(Object.keys(escapes).flatMap((one) => secrets.map((value) => [one, value] as const)))(
  'replaces known values that a receiver repeats as %s: %s',
  ([name, value]) => {
    const write = escapes[name] ?? String;
    expect(redactText(`<${write(value)}>`, [value])).toBe('<[redacted]>');
    // JSON in JSON, JSON in a URL.
    for (const outer of ['JSON.stringify', 'a component of a URL'])
      expect(redactText((escapes[outer] ?? String)(`:${write(value)}:`), [value])).toMatch(
        /^(?::|%3A)\[redacted\](?::|%3A)$/,
      );
  },
);

test.for([
  ['tenant-1', 'tenant-1-secret', 'x tenant-1-secret y', 'x [redacted] y'],
  ['left-middle', 'middle-right', 'x left-middle-right y', 'x [redacted] y'],
  ['aaaa', 'bbbb', 'aaaaa-bbbb', '[redacted]-[redacted]'],
] as const)(
  'replaces a whole value that another one begins or ends: %s, %s',
  ([one, other, text, expected]) => {
    expect(redactText(text, [one, other])).toBe(expected);
    expect(redactText(text, [other, one])).toBe(expected);
  },
);

test('replaces a signature in every form: without its prefix, as base64url, in hexadecimal', () => {
  const signature = 'v1,5J/6+8kQvVb3l4ZtJ9w5kq0rXo2uHnS6yF1aEQJd/+A=';
  const base64 = signature.slice(3);
  const hex = Buffer.from(base64, 'base64').toString('hex');
  const forms = [
    base64,
    base64.slice(0, -1),
    base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', ''),
    hex,
    hex.toUpperCase(),
  ];
  for (const form of forms)
    expect(redactText(`is ${form}.`, repeatedForms(signature))).toBe('is [redacted].');
});

// D172.
test.for(
  ['', 'x', 'xy', 'xyz'].flatMap((before) => secrets.map((value) => [before, value] as const)),
)('replaces known values that a receiver repeats in base64 after %j: %s', ([before, value]) => {
  const shown = (encoding: 'base64' | 'base64url', lines: boolean): string => {
    const encoded = Buffer.from(`${before}${value}; more`).toString(encoding);
    const text = lines ? encoded.replaceAll(/.{20}/g, '$&\r\n') : encoded;
    return redactText(JSON.stringify({ got: `id/${text}` }), [value]);
  };
  for (const encoding of ['base64', 'base64url'] as const)
    for (const lines of [false, true]) {
      const text = shown(encoding, lines);
      expect(text).toContain('[redacted]');
      const core = Buffer.from(`${before}${value}`).toString(encoding).slice(6, -6);
      expect(text).not.toContain(core);
    }
});

test('replaces a known value in base64 that is cut at the end of what was read', () => {
  const value = 'a-tenant-secret-of-some-length';
  const encoded = Buffer.from(`got ${value}`).toString('base64').slice(0, -10);
  expect(redactText(`is ${encoded}`, [value], true)).toMatch(/^is [\w+/]{0,6}\[redacted\]$/);
});

test('replaces a secret that is cut at the end of what was read or is shown', () => {
  const filler = '.'.repeat(20_000);
  const escaped = escapes['each character as \\u']?.('kq'.repeat(500)) ?? '';
  for (let before = 50; before < responseBytesKept; before += 211) {
    const text = '.'.repeat(before) + escaped + filler;
    expect(bodyOf(text, 'text/plain', ['kq'.repeat(500)])).not.toContain('6b');
  }
  const value = 'k'.repeat(1024);
  for (let before = 3000; before < responseBytesKept + 10; before += 97) {
    const text = '.'.repeat(before) + value + filler;
    expect(bodyOf(text, 'text/plain', [value])).not.toContain('kk');
  }
});

test.for([
  'secret',
  'token-',
  '-----BEGIN PRIVATE KEY-----',
  'eyJ.',
  'eyJaaaaa.',
  'https://',
  'bearer ',
  'password="',
  'whsec_',
  'a-',
  'v1,',
  'a',
])('replaces secrets in a few milliseconds, whatever the text: %s', (piece) => {
  const text = piece.repeat(Math.ceil(responseBytesKept / piece.length));
  const took = Array.from({ length: 10 }, () => {
    // Processor time: other processes do not count.
    const { user: start } = process.cpuUsage();
    redactText(text, [piece.repeat(10)]);
    return process.cpuUsage().user - start;
  });
  expect(Math.min(...took)).toBeLessThan(20_000);
});

test.for([
  ['text/html; charset=utf-8', true],
  ['application/json', true],
  ['application/problem+json', true],
  ['application/xml', true],
  ['application/x-www-form-urlencoded', true],
  ['application/octet-stream', false],
  ['image/png', false],
  ['image/svg+xml', false],
  ['', false],
] as const)('shows a body if its content type is text: %s, %s', ([contentType, isShown]) => {
  expect(bodyOf('hello', contentType)).toBe(isShown ? 'hello' : null);
  expect(readableResponse(received('hello', contentType), []).bodyBytes).toBe(5);
});

test('shows no compressed body', () => {
  const { headers, ...rest } = received('hello');
  const compressed = { ...rest, headers: { ...headers, 'content-encoding': 'gzip' } };
  expect(readableResponse(compressed, [])).toMatchObject({ body: null, bodyBytes: 5 });
});

test('shows up to 4,096 characters, well formed, without NUL and other control characters', () => {
  expect(bodyOf('a\0b\u0007c\td\r\n')).toBe('abc\td\r\n');
  expect(bodyOf(Uint8Array.of(0x61, 0xff, 0xc3, 0x28))).toBe('a\ufffd\ufffd(');
  expect(bodyOf('x'.repeat(20_000))).toHaveLength(4096);
  expect(bodyOf('x'.repeat(5000))).toHaveLength(4096);
  expect(bodyOf(`${'x'.repeat(4095)}😀`)?.isWellFormed()).toBe(true);
  expect(bodyOf('')).toBe('');
});

test('shows only selected headers, short and without secrets', () => {
  const headers = {
    'content-type': 'text/plain',
    'set-cookie': ['sid=1'],
    'x-internal': 'no',
    location: `https://a:b@vendor.example.org/?token=abcdef&${'x'.repeat(500)}`,
    server: ['one', 'two'],
  };
  const shown = readableResponse({ headers, body: new Uint8Array(), bodyBytes: 0 }, []).headers;
  expect(Object.keys(shown)).toEqual(['content-type', 'server', 'location']);
  expect(shown['server']).toBe('one');
  expect(shown['location']).toHaveLength(256);
  expect(shown['location']).not.toMatch(/abcdef|:b@/);
});
