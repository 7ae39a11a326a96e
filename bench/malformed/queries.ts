import type { ErrorCode } from '../../domain/errors.ts';
import { unknownNames, wrongValues } from './lists.ts';
import type { Mutator } from './request.ts';
import type { Shape } from './routes.ts';

/** What can be wrong with a query. */

const queryErrors = (name: string): readonly ErrorCode[] => {
  if (name === 'page') return ['VALIDATION_INVALID_PAGE'];
  if (name === 'pageSize') return ['VALIDATION_INVALID_PAGE_SIZE'];
  if (name === 'include')
    return ['VALIDATION_UNKNOWN_INCLUDE', 'VALIDATION_INVALID_QUERY_PARAMETER'];
  if (/^(from|to|changedSince)$/.test(name)) return ['VALIDATION_INVALID_DATE'];
  return ['VALIDATION_INVALID_QUERY_PARAMETER'];
};

const always = (): boolean => true;
const unknownName: readonly ErrorCode[] = ['VALIDATION_UNKNOWN_QUERY_PARAMETER'];

const unknown: Mutator = {
  name: 'query: unknown',
  fits: always,
  mutate: (draft, random) => {
    const name = random.pick(unknownNames);
    draft.query.push(
      `${name}${random.pick(['=1', '=', '==', '=%', '=%00', '=a=b', `=${'x'.repeat(3000)}`])}`,
    );
    return unknownName;
  },
};

const many: Mutator = {
  name: 'query: 100 to 10,000 parameters',
  fits: always,
  mutate: (draft, random) => {
    const count = random.pick([100, 1000, 3000, 10_000]);
    const isSame = random.chance(0.5);
    draft.query.push(
      ...Array.from({ length: count }, (_, index) => (isSame ? 'x=1' : `x${index}`)),
    );
    return [...unknownName, 'HEADERS_TOO_LARGE'];
  },
};

const isConstrained = ([name, { enum: options, format }]: readonly [string, Shape]): boolean =>
  options !== undefined || format !== undefined || name === 'page' || name === 'pageSize';

const wrongValue: Mutator = {
  name: 'query: wrong value',
  fits: ({ query }) => Object.entries(query).some(isConstrained),
  mutate: ({ route, query }, random) => {
    const [name] = random.pick(Object.entries(route.query).filter(isConstrained));
    query.push(`${name}=${random.pick(wrongValues)}`);
    return queryErrors(name);
  },
};

const wrongText: Mutator = {
  name: 'query: wrong text',
  fits: ({ query }) => Object.values(query).some(({ maxLength }) => maxLength !== undefined),
  mutate: ({ route, query }, random) => {
    const texts = Object.entries(route.query).filter(
      ([, { maxLength }]) => maxLength !== undefined,
    );
    const [name, { maxLength = 0 }] = random.pick(texts);
    query.push(
      `${name}=${random.pick(['%00', 'a%00b', 'x'.repeat(maxLength + 1), '%F0%9F%9C%81'.repeat(maxLength + 1)])}`,
    );
    return queryErrors(name);
  },
};

const repeated: Mutator = {
  name: 'query: given twice',
  fits: ({ query }) => Object.keys(query).length > 0,
  mutate: ({ route, query }, random) => {
    const name = random.pick(Object.keys(route.query));
    const value = { page: '1', pageSize: '20' }[name] ?? 'x';
    query.push(...Array.from({ length: 2 + random.below(3) }, () => `${name}=${value}`));
    return queryErrors(name);
  },
};

export const queryMutators: readonly Mutator[] = [unknown, many, wrongValue, wrongText, repeated];
