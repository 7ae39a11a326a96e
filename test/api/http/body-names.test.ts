import { expect, test } from 'vitest';
import { refuseTooManyNames } from '../../../api/http/bodies/body-names.ts';

const refuse = (text: string) => () =>
  refuseTooManyNames(Buffer.from(text), { ofObject: 3, ofBody: 6 });

test.each([
  '{"a":1,"b":{"c":1,"d":2,"e":3},"f":4}',
  String.raw`{"a":"{\":{:{:{:{[[[[[[[","b":"\\","c":":"}`,
  '[[[[[[1]]]]]]',
  '{"a":[{"b":1},{"c":1},{"d":1}],"e":2}',
  // Whatever is no JSON is the parser's to refuse.
  '}}}}]]]]"a\\',
])('accepts %s', (text) => {
  expect(refuse(text)).not.toThrow();
});

test.each([
  ['an object with more than 3 names', '{"a":1,"a":1,"a":1,"a":1}'],
  ['an object with more than 3 names', '[{"x":{"a":1,"b":1,"c":1,"d":1}}]'],
  ['an object with more than 3 names', '{"a":{},"b":[{"x":1}],"c":{},"d":1}'],
  ['more than 6 names', '[{"a":1,"b":1},{"a":1,"b":1},{"a":1,"b":1},{"a":1}]'],
  ['more than 6 objects and lists', '[[[[[[[1]]]]]]]'],
  ['more than 6 objects and lists', '[{},{},{},{},{},{}]'],
])('refuses %s: %s', (what, text) => {
  expect(refuse(text)).toThrow(
    expect.objectContaining({
      details: { errors: [{ field: 'Body', path: '', code: 'too_many', message: `has ${what}` }] },
    }),
  );
});
