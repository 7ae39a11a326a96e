import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { normalizeEvidenceUrl } from '../../../domain/returns/evidence-url.ts';
import { anyCharacter } from '../../support/any-character.ts';

test.each([
  'https://vendor.example',
  'https://vendor.example/photos/1.jpg',
  'HTTPS://Vendor.Example/1.jpg',
  'https://vendor.example:8443/1.jpg',
  'https://vendor.example/a@b.jpg',
  'https://vendor.example?mail=a@b',
  'https://vendor.example#a@b',
  'https://vendor.example/%20%40%00',
  'https://vendor.example/Größe.jpg',
  'https://bücher.example/1.jpg',
  'https://192.0.2.1/1.jpg',
  'https://[2001:db8::1]/1.jpg',
  'https://vendor.example/1.jpg?X-Signature=a%2Fb&X-Expires=3600',
  'https://vendor.example//double//slash',
  'https://vendor.example/📷.jpg',
])('%s is evidence', (text) => {
  expect(normalizeEvidenceUrl(text)).toBe(new URL(text).href);
});

test.each([
  ['nothing', ''],
  ['no scheme', 'vendor.example/1.jpg'],
  ['a path', '/photos/1.jpg'],
  ['the scheme of its page', '//vendor.example/1.jpg'],
  ['http', 'http://vendor.example/1.jpg'],
  ['ftp', 'ftp://vendor.example/1.jpg'],
  ['data', 'data:image/png;base64,AAAA'],
  ['a script', 'javascript:alert(1)'],
  ['a file', 'file:///etc/passwd'],
  ['a scheme that begins like it', 'httpsx://vendor.example'],
  ['a scheme that ends like it', 'xhttps://vendor.example'],
  ['https as a parameter', 'ftp://vendor.example/?https://vendor.example'],
  ['one slash', 'https:/vendor.example'],
  ['no slash', 'https:vendor.example'],
  ['three slashes', 'https:///vendor.example'],
  ['no host', 'https://'],
  ['no host but a path', 'https:///1.jpg'],
  ['no host but a query', 'https://?1.jpg'],
  ['no host but a fragment', 'https://#1.jpg'],
  ['no host but a port', 'https://:443/1.jpg'],
  ['a user', 'https://user@vendor.example/'],
  ['a user with a password', 'https://user:secret@vendor.example/'],
  ['a password alone', 'https://:secret@vendor.example/'],
  ['an empty user', 'https://@vendor.example/'],
  ['a second host', 'https://vendor.example@other.example/'],
  ['an at sign written as an escape', 'https://user%40vendor.example/'],
  ['an at sign of full width', 'https://user＠vendor.example/'],
  ['a port that is none', 'https://vendor.example:99999/'],
  ['an address that is none', 'https://256.0.0.1/'],
  ['brackets left open', 'https://[2001:db8::1/'],
  ['a blank before it', ' https://vendor.example/'],
  ['a blank after it', 'https://vendor.example/ '],
  ['a blank inside', 'https://vendor.example/a b'],
  ['a line end after it', 'https://vendor.example/\n'],
  ['a tab inside, which readers drop', 'https://vendor.\texample/'],
  ['a return inside', 'https://vendor.example/\r1'],
  ['a no-break space', 'https://vendor.example/\u00A01'],
  ['a line separator', 'https://vendor.example/\u20281'],
  ['NUL', 'https://vendor.example/\u00001'],
  ['delete', 'https://vendor.example/\u007F1'],
  ['a control character of the upper half', 'https://vendor.example/\u00851'],
  ['a backslash for a slash', 'https:\\\\vendor.example/'],
  ['a backslash before a user', 'https://other.example\\@vendor.example/'],
  ['a backslash in the path', 'https://vendor.example/a\\b'],
  ['a lone high surrogate', 'https://vendor.example/\uD83D'],
  ['a lone low surrogate', 'https://vendor.example/\uDCF7'],
])('%s is no evidence', (_what, text) => {
  expect(normalizeEvidenceUrl(text)).toBeNull();
});

test('the stored form is the normal form of the URL, and is at most 2,048 characters long', () => {
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

test('each accepted URL is https with a host and no user name, and all parsers agree on it', () => {
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

test('every plain https URL is taken, with any path, query and fragment', () => {
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
