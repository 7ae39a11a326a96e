import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { errorCatalogue } from '../../../domain/errors.ts';

test('finds a test of a route for each code of the catalogue', () => {
  const tests = readdirSync('test/api', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(`test/api/${file}`, 'utf8'));
  const codes = Object.keys(errorCatalogue);
  expect(codes.filter((code) => !tests.some((text) => text.includes(`'${code}'`)))).toEqual([]);
});
