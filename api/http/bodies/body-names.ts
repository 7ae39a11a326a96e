import type { JsonSchema } from '@valibot/to-json-schema';
import type * as v from 'valibot';
import { validationErrors, type ApiError } from '../api-error.ts';
import { jsonSchemaOf } from '../../validation/json-schema.ts';
import { oncePerSchema } from '../../validation/once-per-schema.ts';

/** The most names of one object of a body, and of all its objects together. */
export type NamesMax = { readonly ofObject: number; readonly ofBody: number };

/** Unknown names that an object may have, so that the response can list each of them. */
const unknownMax = 100;

const larger = (one: NamesMax, other: NamesMax): NamesMax => ({
  ofObject: Math.max(one.ofObject, other.ofObject),
  ofBody: Math.max(one.ofBody, other.ofBody),
});

const isSchema = (each: unknown): each is JsonSchema => typeof each === 'object' && each !== null;

/** The names that objects of a schema know; a list has as many items as it may have. */
function knownNames(schema: JsonSchema): NamesMax {
  const { properties = {}, items, maxItems = 1, anyOf = [], oneOf = [], allOf = [] } = schema;
  const parts = Object.values(properties).filter(isSchema).map(knownNames);
  const names = Object.keys(properties).length;
  const own: NamesMax = {
    ofObject: Math.max(names, ...parts.map(({ ofObject }) => ofObject)),
    ofBody: parts.reduce((sum, { ofBody }) => sum + ofBody, names),
  };
  const item = isSchema(items) ? knownNames(items) : { ofObject: 0, ofBody: 0 };
  const list: NamesMax = { ...item, ofBody: item.ofBody * maxItems };
  const others = [...anyOf, ...oneOf, ...allOf].filter(isSchema).map(knownNames);
  return [list, ...others].reduce(larger, own);
}

/**
 * The names that a body of a schema may have. It may have twice as many as the route knows, and 100
 * more, so that a list which is too long and names that are unknown have errors of their own.
 */
export const namesMaxOf = oncePerSchema((schema: v.GenericSchema): NamesMax => {
  const { ofObject, ofBody } = knownNames(jsonSchemaOf(schema));
  return { ofObject: ofObject + unknownMax, ofBody: 2 * ofBody + unknownMax };
});

/** The names in a body that the route does not read, at most this many. */
export const namesMaxWithoutSchema: NamesMax = { ofObject: unknownMax, ofBody: unknownMax };

const tooMany = (what: string): ApiError =>
  validationErrors({ field: 'Body', path: '', code: 'too_many', message: `has ${what}` });

const [quote, backslash, colon] = [0x22, 0x5c, 0x3a];
const [objectBegin, objectEnd, listBegin] = [0x7b, 0x7d, 0x5b];

/** The index after the text that begins at `begin`, which is the index of its quote. */
function endOfText(body: Buffer, begin: number): number {
  let at = begin + 1;
  for (; at < body.length && body[at] !== quote; at += 1) if (body[at] === backslash) at += 1;
  return at + 1;
}

/**
 * Counts the names of a body of JSON before it is parsed, and its objects and lists: each costs the
 * parser as much as a hundred characters. Throws VALIDATION_ERRORS for an object or a body with too
 * many. It does not check that the body is JSON.
 */
export function refuseTooManyNames(body: Buffer, { ofObject, ofBody }: NamesMax): void {
  // Each name has two quotes and a colon.
  if (body.length < 3 * ofObject) return;
  /** The names of the open objects, from the outermost to the innermost. */
  const open: number[] = [];
  let names = 0;
  let allNames = 0;
  let values = 0;
  for (let at = 0; at < body.length; at += 1) {
    const character = body[at];
    if (character === quote) at = endOfText(body, at) - 1;
    else if (character === colon) {
      names += 1;
      allNames += 1;
      if (names > ofObject) throw tooMany(`an object with more than ${ofObject} names`);
      if (allNames > ofBody) throw tooMany(`more than ${ofBody} names`);
    } else if (character === objectBegin || character === listBegin) {
      values += 1;
      if (values > ofBody) throw tooMany(`more than ${ofBody} objects and lists`);
      if (character === listBegin) continue;
      open.push(names);
      names = 0;
    } else if (character === objectEnd) names = open.pop() ?? 0;
  }
}
