import { anything, array, assert, dictionary, integer, json, property, string } from 'fast-check';
import { expect, test } from 'vitest';
import { ApiError } from '../../../api/http/api-error.ts';
import { UnreadableItem } from '../../../api/jobs/job-item-parsers.ts';
import { jsonReader } from '../../../api/jobs/json-items.ts';
// How a JSON body of a job is read, item by item (D152).

const messageOf = (item: unknown): unknown =>
  item instanceof UnreadableItem ? item.errors[0]?.message : item;

/** The body of a text that arrives in pieces of this length. */
function read(text: string, pieceLength = 5): unknown {
  const reader = jsonReader();
  for (let at = 0; at < text.length; at += pieceLength)
    reader.write(text.slice(at, at + pieceLength));
  const { items, ...others } = reader.end();
  if (!Array.isArray(items)) return items === undefined ? others : { items, ...others };
  return { items: items.map(messageOf), ...others };
}

test('reads what JSON.parse reads, however the text is cut into pieces', () => {
  const bodies = dictionary(string(), anything({ maxDepth: 3, withNullPrototype: false }));
  assert(
    property(array(json()), bodies, integer({ min: 1, max: 30 }), (items, others, pieceLength) => {
      const rest = JSON.stringify(JSON.parse(JSON.stringify(others) ?? '{}'));
      const text = `{"a":${rest}, "items" : [ ${items.join(' ,\n')} ] ,"kind":"x"}`;
      expect(read(text, pieceLength)).toEqual(JSON.parse(text));
    }),
  );
});

test.for([
  '',
  ' \n',
  '{}',
  '{"items":5}',
  '{"items":[],"kind":"\\u0061\\"]}"}',
  '{"items":[1],"items":[2,"]"]}',
  '{"items":[1],"items":null}',
  '{"__proto__":1,"items":[{"__proto__":2}]}',
  '{"items":[-1.5e3,true,null,"",{},[]],"x":{"items":[1]}}',
])('reads %s as JSON.parse does; an empty text is an empty object', (text) => {
  const expected: unknown = text.trim() === '' ? {} : JSON.parse(text);
  for (const pieceLength of [1, 1000]) expect(read(text, pieceLength)).toEqual(expected);
});

test.for([
  '{',
  '{"items":[',
  '{"items":[1',
  '{"items":[1,]}',
  '{"items":[,1]}',
  '{"items":[1 2]}',
  '{"items":[1]',
  '{"items":[1]} x',
  '{"items":[{]}',
  '{"items":["a]}',
  '{"items" [1]}',
  '{items:[1]}',
  '{"a":}',
  '{"a":1,}',
  '{5:1}',
  '[1]',
  '7',
  'null',
  '{"items":[01]}',
  '{"items":[tru]}',
])('refuses %s', (text) => {
  for (const pieceLength of [1, 1000]) expect(() => read(text, pieceLength)).toThrow(ApiError);
});

const good = { vendorSku: 'a' };
const body = (item: string): string => `{"items":[${JSON.stringify(good)},${item},{}]}`;

test.for([
  ['a long text', `"${'x'.repeat(70_000)}"`, 'has more than 65536 characters'],
  ['many keys', `{"a":${'1,"a":'.repeat(20_000)}1}`, 'has more than 65536 characters'],
  ['many brackets', '['.repeat(30_000) + ']'.repeat(30_000), 'has more than 20 levels'],
  ['four million brackets', '['.repeat(2e6) + ']'.repeat(2e6), 'has more than 65536 characters'],
] as const)('fails an item with %s alone', ([_what, item, message]) => {
  expect(read(body(item), 16_384)).toEqual({ items: [good, message, {}] });
});

test('refuses a body with a long value beside the items', () => {
  expect(() => read(`{"kind":"${'x'.repeat(70_000)}","items":[]}`, 16_384)).toThrow(ApiError);
});

test('refuses a body of many names before it has read them all (D170)', () => {
  const names = Array.from({ length: 101 }, (_none, index) => `"n${index}":1`);
  expect(() => read(`{${names.join(',')},`)).toThrow(
    expect.objectContaining({
      details: { errors: [expect.objectContaining({ code: 'too_many' })] },
    }),
  );
  const few = `{${names.slice(1).join(',')},"items":[]}`;
  expect(read(few)).toEqual(JSON.parse(few));
});

test('reads 8 MiB of any items in time that grows with their length only', () => {
  for (const item of ['{}', '"\\\\"', '[[[[]]]]', '1', `"${'x'.repeat(1000)}"`]) {
    const text = `{"items":[${Array.from({ length: 8e6 / (item.length + 1) }, () => item).join(',')}]}`;
    const start = performance.now();
    read(text, 16_384);
    expect(performance.now() - start, item).toBeLessThan(20_000);
  }
});
