import { expect, test } from 'vitest';
import { errorCatalogue } from '../../../domain/errors.ts';
import { namedTests } from './named-tests.ts';

const tests = namedTests();

test('the tests of this folder name the whole catalogue, and nothing else', () => {
  expect([...new Set(tests.map(({ code }) => code))].toSorted()).toEqual(
    Object.keys(errorCatalogue).toSorted(),
  );
});

test('each of them looks at an answer of one status, and that is the catalogue’s', () => {
  const found = tests.map(({ name, code, statuses }) => ({ name, code, statuses }));
  const expected = found.map(({ name, code }) => ({
    name,
    code,
    statuses: Object.entries(errorCatalogue).flatMap(([each, { status }]) =>
      each === code ? [status] : [],
    ),
  }));
  expect(found).toEqual(expected);
});
