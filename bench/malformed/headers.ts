import type { Random } from './random.ts';
import { bodyError, type Draft, type Mutator } from './request.ts';
import { tokenMutators } from './tokens.ts';

/** What can be wrong with a request's headers, and what is odd about them without being wrong. */

const overflow: Mutator = {
  name: 'headers: above 16 KiB',
  fits: () => true,
  mutate: (draft, random) => {
    const isOne = random.chance(0.5);
    const more = isOne
      ? [['x', 'y'.repeat(16_384 + random.below(4000))] as const]
      : Array.from({ length: 2500 }, (_, index) => [`x-${index}`, 'y'] as const);
    draft.headers.push(...more.map(([name, value]): [string, string] => [name, value]));
    return ['HEADERS_TOO_LARGE'];
  },
};

const wrongHeader: Mutator = {
  name: 'headers: a wrong value, or none',
  fits: ({ headers }) => Object.keys(headers).length > 0,
  mutate: (draft, random) => {
    const names = Object.keys(draft.route.headers).map((name) => name.toLowerCase());
    const others = draft.headers.filter(([name]) => !names.includes(name));
    const values = random.pick([
      [],
      [''],
      ['x'],
      ['production'],
      ['Production', 'Production'],
      ['__proto__'],
      ['\u00ff'],
    ]);
    draft.headers = [
      ...others,
      ...names.flatMap((name) => values.map((value): [string, string] => [name, value])),
    ];
    return bodyError;
  },
};

export const headerMutators: readonly Mutator[] = [...tokenMutators, overflow, wrongHeader];

const oddIds = [
  '',
  ' ',
  'a b',
  '../../x',
  '{"a":1}',
  'x'.repeat(129),
  'x'.repeat(4000),
  '\u00e9',
  'a,b',
  '<script>',
  '%00',
];

/** Headers that change nothing about whether a request is malformed. */
const oddities: readonly ((random: Random) => readonly (readonly [string, string])[])[] = [
  (random) => [['x-request-id', random.pick(oddIds)]],
  (random) => [['x-request-id', `mine-${random.below(1e9)}`]],
  (random) => [['x-http-method-override', random.pick(['DELETE', 'GET', '', '\u00ff'])]],
  (random) => [
    [
      'x-forwarded-for',
      random.pick(['', '127.0.0.1, , ::1', 'unknown', 'x'.repeat(3000), '[::]:99999', "'"]),
    ],
  ],
  () => [
    ['x-forwarded-host', 'evil.example'],
    ['x-forwarded-proto', 'javascript'],
    ['forwarded', 'for=;proto=;;'],
  ],
  (random) => [['accept', random.pick(['text/html', '', 'image/*;q=x', 'x'.repeat(2000)])]],
  () => [
    ['accept-encoding', 'gzip;q=0, *;q=0'],
    ['accept-charset', 'utf-16'],
    ['accept-language', '*'],
  ],
  () => [
    ['if-match', '*'],
    ['if-none-match', '"x'],
    ['range', 'bytes=9-1'],
  ],
  () => [
    ['origin', 'null'],
    ['access-control-request-method', 'DELETE'],
  ],
  () => [
    ['cookie', '=; ;;__proto__=1'],
    ['referer', '\u00ff'],
  ],
  () => Array.from({ length: 200 }, (_, index) => [`x-${index}`, ''] as const),
  () => [
    ['__proto__', 'x'],
    ['constructor', 'x'],
    ['tostring', 'x'],
  ],
  () => [
    ['prefer', 'wait=-1'],
    ['max-forwards', '-1'],
    ['via', ','],
  ],
];

export function addOddities(draft: Draft, random: Random): void {
  for (let count = random.below(3); count > 0; count -= 1) {
    draft.headers.push(
      ...random
        .pick(oddities)(random)
        .map(([name, value]): [string, string] => [name, value]),
    );
  }
}
