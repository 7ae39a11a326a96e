import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { normalizeEvidenceUrl } from '../../../domain/returns/evidence-url.ts';
import { anyCharacter } from '../../support/any-character.ts';

test.each([
  'https://vendor.example',
  'HTTPS://Vendor.Example/1.jpg',
  'https://vendor.example:8443/1.jpg',
  'https://vendor.example/a@b.jpg',
  'https://vendor.example?mail=a@b',
  'https://vendor.example/%20%40%00',
  'https://vendor.example/Größe.jpg',
  'https://bücher.example/1.jpg',
  'https://192.0.2.1/1.jpg',
  'https://[2001:db8::1]/1.jpg',
  'https://vendor.example/1.jpg?X-Signature=a%2Fb&X-Expires=3600',
  'https://vendor.example//double//slash',
  'https://vendor.example/📷.jpg',
])('normalizes %s', (text) => {
  expect(normalizeEvidenceUrl(text)).toBe(new URL(text).href);
});

// prettier-ignore
test.each([
  '', 'vendor.example/1.jpg', '/photos/1.jpg', '//vendor.example/1.jpg',
  'http://vendor.example/1.jpg', 'ftp://vendor.example/1.jpg', 'data:image/png;base64,AAAA',
  'javascript:alert(1)', 'file:///etc/passwd', 'httpsx://vendor.example',
  'xhttps://vendor.example', 'ftp://vendor.example/?https://vendor.example',
  'https:/vendor.example', 'https:vendor.example', 'https:///vendor.example', 'https://',
  'https://:443/1.jpg', 'https://user@vendor.example/', 'https://user:secret@vendor.example/',
  'https://@vendor.example/', 'https://vendor.example@other.example/',
  'https://user＠vendor.example/', 'https://vendor.example:99999/', 'https://256.0.0.1/',
  'https://[2001:db8::1/', ' https://vendor.example/', 'https://vendor.example/ ',
  'https://vendor.example/a b', 'https://vendor.example/\n', 'https://vendor.\texample/',
  'https://vendor.example/\u00A01', 'https://vendor.example/\u20281',
  'https://vendor.example/\u00001', 'https://vendor.example/\u007F1',
  'https://vendor.example/\u00851', 'https:\\\\vendor.example/',
  'https://other.example\\@vendor.example/', 'https://vendor.example/a\\b',
  'https://vendor.example/\uD83D', 'https://vendor.example/\uDCF7',
  'https://vendor.example/\u202egpj.exe', 'https://vendor\u200e.example/1.jpg',
  'https://vendor.example/\u20661.jpg\u2069', 'https://vendor.example/\u200b1.jpg',
])('refuses %j', (text) => {
  expect(normalizeEvidenceUrl(text)).toBeNull();
});

test('normalizes a host with a Latin-1 letter after thousands of calls', () => {
  for (let call = 0; call < 20_000; call += 1)
    expect(normalizeEvidenceUrl('https://bücher.example/')).not.toBeNull();
});

test('returns the normal form of a URL, with 2,048 characters at most', () => {
  expect(normalizeEvidenceUrl('HTTPS://Vendor.Example:443/a/../b.jpg?x=1#y')).toBe(
    'https://vendor.example/b.jpg?x=1#y',
  );
  expect(normalizeEvidenceUrl('https://bücher.example/Größe.jpg')).toBe(
    'https://xn--bcher-kva.example/Gr%C3%B6%C3%9Fe.jpg',
  );
  const host = 'https://v.example/';
  const longest = host + 'a'.repeat(2048 - host.length);
  expect(normalizeEvidenceUrl(longest)).toBe(longest);
  expect(normalizeEvidenceUrl(host + 'ö'.repeat(400))).toBeNull();
});

// prettier-ignore
const scraps = fc.constantFrom(
  'https', 'http', ':', '/', '//', '@', '\\', '?', '#', '.', 'a', 'vendor.example', '443', '[', ']',
  '%40', '%00', ' ', '\t', '\n', '\u0000', '＠', '／', '。', 'ß', '\uD83D', '\u200B',
);
const anyText = fc.oneof(
  fc.array(scraps, { maxLength: 4 }).map((parts) => `https://vendor.example${parts.join('')}`),
  fc.array(scraps, { maxLength: 12 }).map((parts) => `https://${parts.join('')}`),
  fc.array(scraps, { maxLength: 12 }).map((parts) => parts.join('')),
  fc.string({ unit: anyCharacter }),
);

test('accepts only https with a host and no user name, and all parsers agree on the URL', () => {
  let taken = 0;
  fc.assert(
    fc.property(anyText, (text) => {
      const stored = normalizeEvidenceUrl(text);
      if (stored === null) return;
      taken += 1;
      const url = new URL(stored);
      expect(url.href).toBe(stored);
      expect(normalizeEvidenceUrl(stored)).toBe(stored);
      expect(url).toMatchObject({ protocol: 'https:', username: '', password: '' });
      expect(url.hostname).not.toBe('');
      expect(text).toMatch(/^https:\/\/[^/]/i);
      expect(text.isWellFormed()).toBe(true);
      // oxlint-disable-next-line no-control-regex -- it is about control characters
      expect(text).not.toMatch(/[\u0000-\u0020\u007F\\]/);
    }),
    { numRuns: 5000 },
  );
  expect(taken).toBeGreaterThan(100);
});

test('accepts every plain https URL with any path, query and fragment', () => {
  const anyUrl = fc.webUrl({
    validSchemes: ['https'],
    withQueryParameters: true,
    withFragments: true,
  });
  fc.assert(
    fc.property(anyUrl, (text) => {
      expect(normalizeEvidenceUrl(text)).toBe(new URL(text).href);
    }),
  );
});
