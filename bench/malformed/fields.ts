import { objectsIn, type Json, type JsonObject } from './json.ts';
import type { Random } from './random.ts';
import { bodyError, type Draft, type Mutator } from './request.ts';
import { typesOf, type Route, type Shape } from './routes.ts';
import { wrongFormat } from './lists.ts';
import { deep, longList, values, wrongNumber, wrongText, wrongTyped } from './wrong-values.ts';

/** What can be wrong with the fields of a body that is JSON. */

type Field = { readonly at: JsonObject; readonly name: string; readonly shape: Shape };

const fieldsOf = (json: Json | null): readonly Field[] =>
  (json === null ? [] : objectsIn(json)).flatMap((at) =>
    Object.entries(at.shape.properties ?? {}).map(([name, shape]) => ({ at, name, shape })),
  );

const shapesIn = (shape: Shape): readonly Shape[] =>
  Object.values(shape.properties ?? {}).flatMap((its) => [its, ...shapesIn(its.items ?? its)]);

/** A mutator that puts a wrong value into some field; the field must be one that the value is wrong for. */
const onField = (
  name: string,
  isFor: (shape: Shape) => boolean,
  wrong: (shape: Shape, random: Random) => Json,
): Mutator => ({
  name,
  fits: ({ body }: Route) => body !== null && shapesIn(body).some(isFor),
  mutate: ({ json }: Draft, random) => {
    const {
      at,
      name: field,
      shape,
    } = random.pick(fieldsOf(json).filter((found) => isFor(found.shape)));
    const others = at.entries.filter(([other]) => other !== field);
    at.entries.splice(0, at.entries.length, ...others, [field, wrong(shape, random)]);
    return bodyError;
  },
});

const isText = (shape: Shape): boolean => typesOf(shape).includes('string');
const isNumber = (shape: Shape): boolean =>
  typesOf(shape).some((type) => /^(number|integer)$/.test(type));
const isList = (shape: Shape): boolean => typesOf(shape).includes('array');

const oddNames = [
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'prototype',
  'x',
  '',
  '0',
  'a/b~c',
];

const isTaken = ({ shape, entries }: JsonObject, name: string): boolean =>
  Object.hasOwn(shape.properties ?? {}, name) || entries.some(([other]) => other === name);

/** Beside what the shape has, an object takes nothing. */
const unknownField = (name: string, value: (random: Random) => Json): Mutator => ({
  name,
  fits: ({ body }) => body !== null,
  mutate: ({ json }, random) => {
    const at = random.pick(json === null ? [] : objectsIn(json));
    const odd = random.pick(oddNames.filter((candidate) => !isTaken(at, candidate)));
    at.entries.splice(random.below(at.entries.length + 1), 0, [odd, value(random)]);
    return bodyError;
  },
});

const missing: Mutator = {
  name: 'field: missing',
  fits: ({ body }) => (body?.required ?? []).length > 0,
  mutate: ({ json }, random) => {
    const fields = fieldsOf(json).filter(({ at, name }) => at.shape.required?.includes(name));
    const { at, name } = random.pick(fields);
    const left = at.entries.filter(([other]) => other !== name);
    at.entries.splice(0, at.entries.length, ...left);
    return bodyError;
  },
};

const repeated: Mutator = {
  name: 'field: twice, the last wrong',
  fits: ({ body }) => (body?.required ?? []).length > 0,
  mutate: ({ json }, random) => {
    const { at, name, shape } = random.pick(
      fieldsOf(json).filter(({ shape: its }) => typesOf(its).length > 0),
    );
    at.entries.push([name, wrongTyped(shape, random)]);
    return bodyError;
  },
};

export const fieldMutators: readonly Mutator[] = [
  onField('field: wrong type', (shape) => typesOf(shape).length > 0, wrongTyped),
  onField('field: wrong number', isNumber, wrongNumber),
  onField('field: wrong text', isText, wrongText),
  onField(
    'field: wrong format',
    ({ format }) => format === 'uuid' || format === 'date-time',
    (_shape, random) => random.pick(wrongFormat),
  ),
  onField(
    'field: 100 to 100,000 levels',
    (shape) => typesOf(shape).length > 0 && !isList(shape),
    (_shape, random) => deep(random),
  ),
  onField(
    'field: a list of 100,000',
    () => true,
    (_shape, random) => longList(random),
  ),
  missing,
  repeated,
  unknownField('field: unknown', (random) => random.pick(values)[1]),
  unknownField('field: unknown, 100 to 100,000 levels', deep),
  unknownField('field: unknown, nearly 1 MiB', (random) =>
    JSON.stringify('x'.repeat(1_000_000 + random.below(48_000))),
  ),
];
