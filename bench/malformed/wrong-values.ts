import type { Random } from './random.ts';
import { typesOf, type Shape } from './routes.ts';

/** Values, as JSON text, that are wrong for a shape. */

/** A value of every type. */
export const values: readonly (readonly [type: string, text: string])[] = [
  ['null', 'null'],
  ['boolean', 'true'],
  ['boolean', 'false'],
  ['number', '0'],
  ['number', '17.5'],
  ['number', '-0'],
  ['string', '"true"'],
  ['string', '"1"'],
  ['string', '"[object Object]"'],
  ['array', '[]'],
  ['array', '[[],{}]'],
  ['object', '{}'],
  ['object', '{"length":1,"0":"x"}'],
  ['object', '{"__proto__":null,"toString":1,"valueOf":{}}'],
];
export const wrongTyped = (shape: Shape, random: Random): string => {
  const types = typesOf(shape).map((type) => (type === 'integer' ? 'number' : type));
  return random.pick(values.filter(([type]) => !types.includes(type)))[1];
};

/** Numbers beyond what the shape takes, some of which no number can hold. */
export function wrongNumber(shape: Shape, random: Random): string {
  const { minimum = 0, exclusiveMinimum, maximum = 1e9 } = shape;
  const isAboveZero = minimum > 0 || exclusiveMinimum === 0;
  return random.pick([
    '1e400',
    '-1e400',
    '1e308',
    '9007199254740993',
    '1'.repeat(400),
    '-1',
    '-17.5',
    String(maximum + 1),
    String(minimum - 1),
    '-9007199254740993',
    '-0.0000001',
    '1e-7',
    '0.1234567',
    '100000000000000000000000000000.5',
    // A negative zero, and what is rounded to zero, are zeros.
    ...(isAboveZero ? ['0', '-0', '0e9', '1e-400', '-1e-400'] : []),
  ]);
}

export const wrongText = (shape: Shape, random: Random): string => {
  const { maxLength = 3000, enum: options } = shape;
  return random.pick([
    '"a\\u0000b"',
    '"\\ud800"',
    '"\\udc00\\ud800"',
    '"x\\uDBFFx"',
    '"\\u0000"',
    JSON.stringify('x'.repeat(maxLength + 1)),
    JSON.stringify('🜁'.repeat(maxLength + 1)),
    ...(options === undefined
      ? []
      : [JSON.stringify(`${String(options[0])} `), '"constructor"', '"__proto__"']),
  ]);
};

export const deep = (random: Random): string => {
  const depth = random.pick([100, 1000, 10_000, 100_000]);
  return random.chance(0.5)
    ? `${'['.repeat(depth)}${']'.repeat(depth)}`
    : `${'{"a":'.repeat(depth)}0${'}'.repeat(depth)}`;
};

export const longList = (random: Random): string => {
  const item = random.pick(['0', '""', '{}', '[]', 'null']);
  return `[${Array.from({ length: 100_000 }, () => item).join(',')}]`;
};
