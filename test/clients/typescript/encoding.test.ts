import { expect } from 'vitest';
import { decodeUtf8, EncodingError } from '../../../clients/typescript/src/index.ts';
import { clientTest as test } from './client-fixture.ts';

const header = 'vendorExternalId,rawBrandName,rawProductName,cost,costIsVatInclusive\n';
const bytesOf = (...parts: readonly (string | readonly number[])[]): Uint8Array =>
  Buffer.concat(parts.map((part) => Buffer.from(part as string, 'latin1')));

/** دار العود and a product, as windows-1256 has them. */
const arabic = bytesOf(
  header,
  'w-1,',
  [0xcf, 0xc7, 0xd1, 0x20, 0xc7, 0xe1, 0xda, 0xe6, 0xcf],
  ',',
  [0xda, 0xe6, 0xcf, 0x20, 0xe3, 0xe1, 0xdf, 0xed],
  ',100.00,false\n',
);
const western = bytesOf(header, 'w-2,Lanc', [0xf4], 'me,Tr', [0xe9], 'sor,100.00,false\n');
const text = `${header}w-3,دار العود,عود ملكي,100.00,false\n`;
const little = new Uint8Array(Buffer.from(text, 'utf16le'));
const big = new Uint8Array(Buffer.from(text, 'utf16le').swap16());
const cut = new TextEncoder()
  .encode(text)
  .slice(0, -20)
  .subarray(0, header.length + 5);

// D145.
test.for([
  ['windows-1256', arabic, 'windows-1256'],
  ['windows-1252', western, 'windows-1252'],
  ['UTF-16 without a mark', little, 'UTF-16LE'],
  ['UTF-16 without a mark, big-endian', big, 'UTF-16BE'],
  ['UTF-16 with its mark', bytesOf([0xff, 0xfe], 'a\0b\0'), 'UTF-16LE'],
  ['UTF-8 that ends within a character', cut, null],
  ['UTF-8 with one wrong byte', bytesOf([0xd8, 0xb9, 0xd9, 0x88], '\n', [0xc3, 0x28]), null],
] as const)(
  'refuses bytes in %s before it sends anything',
  async ([, bytes, encoding], { clients }) => {
    const { client, calls } = clients.connect();
    const kind = 'createOffers';
    for (const content of [bytes, new Blob([bytes]), new Blob([bytes]).stream()]) {
      const call = client.jobs.create({ kind, csv: content });
      await expect(call).rejects.toBeInstanceOf(EncodingError);
      await expect(call).rejects.toMatchObject({
        encoding,
        message: expect.stringMatching(/UTF-8.*Save the file as UTF-8/),
      });
    }
    expect(calls).toEqual([]);
  },
);

test('keeps UTF-8 unchanged, without its byte order mark', () => {
  expect(decodeUtf8(new TextEncoder().encode(`\uFEFF${text}`))).toBe(text);
  expect(decodeUtf8(new TextEncoder().encode(text))).toBe(text);
  expect(decodeUtf8(new Uint8Array())).toBe('');
});

test('refuses a text with a lone surrogate before it sends anything', async ({ clients }) => {
  const { client, calls } = clients.connect();
  const csv = `${header}half-\uD83D,Brand,Oud,1,false\n`;
  await expect(client.jobs.create({ kind: 'createOffers', csv })).rejects.toThrow(EncodingError);
  expect(calls).toEqual([]);
});

test.for([
  ['a one-byte letter', [0x43, 0x61, 0x66, 0xe9, 0x2c], '0xE9 in line 2'],
  ['a byte that begins no character', [0x80], '0x80 in line 2'],
  ['a letter that the next one interrupts', [0xc3, 0xa9, 0xc3, 0xc4, 0xa9], '0xC3 in line 2'],
  ['a letter that the end of the line interrupts', [0xe2, 0x82, 0x0a], '0xE2 in line 2'],
  ['a letter that the end of the file interrupts', [0xf0, 0x9f, 0x98], '0xF0 in line 2'],
] as const)('names the byte that begins %s and is not UTF-8', ([, bytes, named]) => {
  for (const mark of [[], [0xef, 0xbb, 0xbf]])
    expect(() => decodeUtf8(bytesOf(mark, header, bytes))).toThrow(`(the byte ${named})`);
});
