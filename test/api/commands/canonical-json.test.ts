import { assert, jsonValue, property } from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalJson } from '../../../api/commands/canonical-json.ts';

const textOf = (value: unknown): string => [...canonicalJson(value)].join('');

test('writes JSON with sorted keys, without those that are null or undefined', () => {
  expect(textOf({ b: [1, null, { d: 'x', c: true }], a: null, e: undefined, f: {} })).toBe(
    '{"b":[1,null,{"c":true,"d":"x"}],"f":{}}',
  );
  expect([undefined, null, 1, 'a"'].map(textOf)).toEqual(['null', 'null', '1', '"a\\""']);
});

test('writes an object and the list of its entries differently', () => {
  expect(textOf({ a: 1 })).not.toBe(textOf([['a', 1]]));
  expect(textOf({ items: { a: 1 } })).not.toBe(textOf({ items: [['a', 1]] }));
});

const nested = (depth: number, innermost: string): unknown =>
  JSON.parse('[{"a":'.repeat(depth) + JSON.stringify(innermost) + '}]'.repeat(depth));

test('writes different values differently at any depth, without exhausting the stack', () => {
  expect(textOf(nested(21, 'x'))).not.toBe(textOf(nested(21, 'y')));
  expect(textOf(nested(150_000, 'x'))).not.toBe(textOf(nested(150_000, 'y')));
});

/** A value without the keys that are left out: its JSON is unique but for the order of keys. */
const withoutNulls = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (_key, inner: unknown) =>
      typeof inner === 'object' && inner !== null && !Array.isArray(inner)
        ? Object.fromEntries(Object.entries(inner).filter(([, each]) => each !== null))
        : inner,
    ),
  );

test('writes text that parses to the value', () => {
  assert(
    property(jsonValue(), (value) => {
      // JSON has no negative zero.
      expect(JSON.parse(textOf(value))).toEqual(withoutNulls(value));
    }),
  );
});

test('writes a long value in pieces of a bounded length', () => {
  const pieces = [...canonicalJson(Array.from({ length: 10_000 }, (_none, index) => ({ index })))];
  expect(pieces.length).toBeGreaterThan(5);
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(17_000);
});
