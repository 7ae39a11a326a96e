import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { inUnits, money, span } from '../../console/html/formats.ts';
import { html, type Part } from '../../console/html/html.ts';
import { barcode } from '../../console/html/parts.ts';
import { pathInConsole } from '../../console/session/session-cookie.ts';

test('escapes every text, in elements and in quoted attributes', () => {
  const text = `<img src=x onerror="alert('1')">&amp;`;
  const escaped = '&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt;&amp;amp;';
  expect(String(html`<p title="${text}">${text}</p>`)).toBe(`<p title="${escaped}">${escaped}</p>`);
});

test('joins lists, nested pieces and numbers, and omits empty values', () => {
  const items: readonly Part[] = [
    '<',
    html`<b>${1}</b>`,
    [null, undefined, false, [html`<i></i>`]],
  ];
  expect(String(html`<p>${items}</p>`)).toBe('<p>&lt;<b>1</b><i></i></p>');
});

test('refuses an object that only looks like a piece', () => {
  // A value of JSON, such as from the API, is a plain object.
  const forged = { toString: () => '<script>' } as unknown as Part;
  expect(() => String(html`${forged}`)).toThrow(TypeError);
});

test('has no unquoted attribute, inline script or inline style in any source', () => {
  const root = join(import.meta.dirname, '../../console');
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' });
  const sources = files.filter((file) => file.endsWith('.ts'));
  expect(sources.length).toBeGreaterThan(10);
  for (const file of sources) {
    const source = readFileSync(join(root, file), 'utf8');
    expect(source.match(/=\$\{|<style|\sstyle="|\son\w+="|<script(?! src=)/g), file).toBeNull();
  }
});

test('shows amounts with Latin digits', () => {
  expect(String(money(1234.5))).toBe('<bdi>1,234.50</bdi>');
});

test('shows spans in the largest whole unit', () => {
  expect(span(90 * 60_000, 'en')).toBe('1 hour');
  expect(span(49 * 3_600_000, 'en')).toBe('2 days');
  expect(span(3 * 86_400_000, 'ar')).toBe('3 أيام');
  for (const ms of [0, -86_400_000]) expect(span(ms, 'en')).toBe('0 minutes');
  expect(inUnits(1, 'second', 'en')).toBe('1 second');
});

test.for([
  ['/console/offers/1?status=PendingMatch', '/console/offers/1?status=PendingMatch'],
  ['/console', '/console'],
  ['/console?x=1', '/console?x=1'],
  ['', '/console'],
  ['https://evil.example/console', '/console'],
  ['//evil.example/console', '/console'],
  ['/\\evil.example', '/console'],
  ['/console\\..\\..\\docs', '/console'],
  ['/console/../docs', '/console'],
  ['/console//../..//evil.example', '/console'],
  ['/console/%2e%2e/docs', '/console'],
  ['/consoles', '/console'],
  ['javascript:alert(1)', '/console'],
  ['/console\t/x', '/console'],
] as const)('redirects a sign-in for %s to %s', ([to, path]) => {
  expect(pathInConsole(to)).toBe(path);
});

const shown = (digits: string, other?: string) => String(barcode(digits, other));
const grouped = (text: string) =>
  Array.from(text.matchAll(/<span class="digits">(.*?)<\/span>/g), ([, group]) => group);

test('shows a barcode in groups, copied without blanks, with the digits that differ', () => {
  expect(grouped(shown('6291041500213'))).toEqual(['6', '291041', '500213']);
  expect(grouped(shown('96385074'))).toEqual(['9638', '5074']);
  expect(
    shown('6291041500213')
      .replaceAll(/<[^>]+>/g, '')
      .trim(),
  ).toBe('6291041500213');
  expect(grouped(shown('6291041500213', '6291041500213'))).toEqual(['6', '291041', '500213']);
  expect(grouped(shown('6291041500213', '6291041500220'))).toEqual([
    '6',
    '291041',
    '5002<mark>1</mark><mark>3</mark>',
  ]);
  // Leading zeros do not count.
  expect(shown('036000291452', '0036000291452')).not.toContain('mark');
  expect(shown('0036000291452', '36000291452')).not.toContain('mark');
});
