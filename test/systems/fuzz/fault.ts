import * as fc from 'fast-check';
import type { ErrorCode } from '../../../domain/errors.ts';
import { anyCharacter } from '../../support/any-character.ts';

/** Parts that replace those of a well-formed request. A header that is null is left out. */
export type Patch = {
  readonly method?: string;
  readonly path?: string;
  readonly query?: readonly string[];
  readonly headers?: Readonly<Record<string, string | readonly string[] | null>>;
  readonly body?: string | Buffer | null;
};

/** One way to malform a request, and the codes that may answer it. */
export type Fault = {
  readonly kind: string;
  readonly due: readonly ErrorCode[];
  readonly weight: number;
  readonly patch: fc.Arbitrary<Patch>;
};

/** The weight of requests of hundreds of kilobytes; the others have 10. */
export const heavy = 1;

export const fault = (
  kind: string,
  due: ErrorCode | readonly ErrorCode[],
  patch: fc.Arbitrary<Patch>,
  weight = 10,
): Fault => ({ kind, due: typeof due === 'string' ? [due] : due, weight, patch });

export const invalidBody = (
  kind: string,
  body: fc.Arbitrary<string | Buffer | null>,
  weight?: number,
): Fault => {
  const patch = body.map((text) => ({ body: text }));
  return fault(kind, 'VALIDATION_ERRORS', patch, weight);
};

/** Splits a text at each `¦`. A line break behind one is layout. */
export const list = (text: string): readonly string[] => text.split(/¦\n?/);

export const pick = <T>(values: readonly T[]): fc.Arbitrary<T> => fc.constantFrom(...values);

/** Texts of any characters, without those that are blank. */
export const anyText = fc
  .string({ unit: anyCharacter, minLength: 1 })
  .filter((text) => text.trim() !== '');

export const repeated = (text: string, min: number, max: number): fc.Arbitrary<string> =>
  fc.integer({ min, max }).map((count) => text.repeat(count));

export const randomBytes = (maxLength: number): fc.Arbitrary<Buffer> =>
  fc.uint8Array({ maxLength, size: 'max' }).map((bytes) => Buffer.from(bytes));
