import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { auditActions } from '../../console/texts/codes.ts';
import { textsOf } from '../../console/texts/texts.ts';
import { checks } from '../../doctor/checks.ts';
import { decisionOf } from '../../domain/offers/review-offer.ts';
import { returnTransitions } from '../../domain/returns/return-status.ts';
// The codes that the API answers have names in both languages.

const [{ codes: english }, { codes: arabic }] = [textsOf('en'), textsOf('ar')];
const isArabic = expect.stringMatching(/^[^a-z]*[\u0600-\u06ff][^a-z]*$/);

test.for(checks.map(({ id, title }) => [id, title] as const))(
  'says in both languages what %s checks',
  ([id, title]) => {
    expect(english.check(id, title)).toBe(title);
    expect(arabic.check(id, title)).toMatch(/[\u0600-\u06ff]/);
  },
);

const secretKinds = [
  'a webhook secret',
  "a credential's secret",
  "an operator's secret",
  'a token',
  'a private key',
  'a URL with a password',
];

// test/doctor/doctor.test.ts has the findings of damages.
test.for([
  ...secretKinds.map((kind) => `has ${kind} in event 3`),
  'has a secret under a key that it does not name, which is not the first key of SECRETS_KEY',
  'has custom headers under the key 1f, which is not the first key of SECRETS_KEY',
  'is waiting, and listed as nothing',
  'is deadLettered, and listed as waiting',
  'has an open run, and is batched: it waits for nothing',
  'is UnderInspection, and its run takes it for Closed',
  'keeps the rows that the last 100001 transactions deleted',
  'keeps the rows that the last 100001 transactions deleted, since 2026-11-20T06:30:00Z',
])('says in Arabic that something %s', (finding) => {
  expect(english.finding(finding)).toBe(finding);
  const inArabic = arabic.finding(finding);
  expect(inArabic).toMatch(/[\u0600-\u06ff]/);
  // Instants and the ids of keys are codes.
  expect(inArabic.replaceAll(/SECRETS_KEY|[\dT:-]+Z|\b1f\b/g, '')).not.toMatch(/[a-z]/i);
});

test('keeps each value that is a code, and a finding of another kind as it is', () => {
  const differs = 'is Approved, and its latest status change is to Lost';
  expect(arabic.finding(differs)).toMatch(/\u2068معتمد\u2069.*\u2068Lost\u2069$/);
  expect(arabic.finding('is lost')).toBe('is lost');
});

test('names each reason why an attempt fails', () => {
  const guide = readFileSync(new URL('../../docs/webhooks.md', import.meta.url), 'utf8');
  const list = /of `errorSummary` are:\n\n([\s\S]*?)\n\n/.exec(guide)?.[1] ?? '';
  const words = Array.from(list.matchAll(/^- `(\w+)`/gm), ([, word = '']) => word);
  expect(words.length).toBeGreaterThan(10);
  for (const word of words) {
    expect(english.attemptFailure(`${word}: 503`)).not.toContain(word);
    expect(arabic.attemptFailure(`${word}: 503`)).toEqual(isArabic);
  }
  expect(arabic.attemptFailure('another: 1')).toBe('another: 1');
});

test('names each decision on an offer and move of a return, and an unknown action by its code', () => {
  const actions = [
    ...Object.keys(decisionOf).map((action) => `offer.${action}`),
    ...returnTransitions.map(({ action }) => `return.${action}`),
  ];
  expect(Object.keys(auditActions)).toEqual(expect.arrayContaining(actions));
  for (const action of Object.keys(auditActions))
    expect(arabic.auditAction(action)).toEqual(isArabic);
  expect(arabic.auditAction('offer.other')).toBe('offer.other');
});

test('says in Arabic what is wrong with a field, and an unknown fault as the API does', () => {
  expect(english.fieldError('required', 'is required')).toBe('is required');
  expect(arabic.fieldError('required', 'is required')).toEqual(isArabic);
  expect(arabic.fieldError('other', 'is wrong')).toBe('is wrong');
});
