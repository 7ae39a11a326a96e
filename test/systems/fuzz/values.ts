import * as fc from 'fast-check';

/** Splits a text at each `¦`. A line break behind one is layout. */
export const list = (text: string): readonly string[] => text.split(/¦\n?/);

export const pick = <T>(values: readonly T[]): fc.Arbitrary<T> => fc.constantFrom(...values);

export const repeated = (text: string, min: number, max: number): fc.Arbitrary<string> =>
  fc.integer({ min, max }).map((count) => text.repeat(count));

export const randomBytes = (maxLength: number): fc.Arbitrary<Buffer> =>
  fc.uint8Array({ maxLength, size: 'max' }).map((bytes) => Buffer.from(bytes));
