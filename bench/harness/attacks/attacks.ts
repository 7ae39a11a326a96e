import { gets, pageReader, post, rawSender, type Attacker } from './attackers.ts';

/** The API, and a job of the attacker with a large file of results. */
type Target = { readonly origin: string; readonly jobId: string };
/** Asks the attacker's process to attack for so long. */
export type AttackQuestion = Target & {
  readonly name: AttackName;
  readonly token: string;
  readonly ms: number;
};

const kibibyte = 1024;
const mebibyte = 1024 * kibibyte;
const tokenPath = '/api/v1/auth/token';
const offersPath = '/api/v1/scent/offers';
const jobsPath = '/api/v1/scent/jobs';

/** A given number of bytes of different names, each with a value. */
function namesOf(bytes: number, joinedBy: string, one: (index: number) => string): string {
  const names: string[] = [];
  for (let index = 0, left = bytes - 20; left > 0; index += 1) {
    names.push(one(index));
    left -= one(index).length + joinedBy.length;
  }
  return names.join(joinedBy);
}

const form = (bytes: number): string => namesOf(bytes, '&', (index) => `n${index}=1`);
const json = (bytes: number): string => `{${namesOf(bytes, ',', (index) => `"n${index}":1`)}}`;

/** Sends on eight connections, each after its response. */
const answeredSender =
  (origin: string) =>
  (bytesOf: (token: string) => Buffer): Attacker =>
    rawSender(origin, { connections: 8, bytesOf, readsResponses: true });

/** Bodies of as many names, objects or lists as they can have, which cost a parser most. */
function attacksByNames(origin: string) {
  const depth = mebibyte / 2 - 20;
  const lists = `{"items":${'['.repeat(depth)}${']'.repeat(depth)}}`;
  const formType = { type: 'application/x-www-form-urlencoded' };
  const sender = answeredSender(origin);
  const push = (body: string): Attacker =>
    sender((token) => post(`${offersPath}/stock`, body, { method: 'PATCH', token }));
  return {
    'a form of 1 MiB of names': sender(() => post('/console/sign-in', form(mebibyte), formType)),
    'a form of 4 KiB of names': sender(() =>
      post('/console/offers/many', form(4 * kibibyte), formType),
    ),
    'a log-in of 1 MiB of names': sender(() => post(tokenPath, json(mebibyte))),
    '64 KiB of names': sender((token) => post(offersPath, json(64 * kibibyte), { token })),
    'a bulk push of 122,000 names': push(json(mebibyte)),
    'a bulk push of 500,000 lists': push(lists),
  } as const;
}

/** Each attack by one vendor, or by a caller without a token. */
export function attacksOn({ origin, jobId }: Target) {
  const sender = answeredSender(origin);
  const manyNumbers = `{"kind":"pushStocks","items":[${'1,'.repeat(4 * mebibyte - 100)}1]}`;
  return {
    'deep pages': pageReader(
      origin,
      60,
      (n) => `${offersPath}?page=${1 + ((n * 7919) % 2000)}&pageSize=100`,
    ),
    'include=history': pageReader(origin, 60, () => `${offersPath}?include=history&pageSize=100`),
    '1 MiB of commas': sender((token) =>
      post(`${jobsPath}?kind=pushStocks`, ','.repeat(mebibyte), { type: 'text/csv', token }),
    ),
    '8 MiB of numbers': sender((token) => post(jobsPath, manyNumbers, { token })),
    '8 MiB without the last byte': rawSender(origin, {
      connections: 120,
      bytesOf: (token) => post(jobsPath, manyNumbers, { length: manyNumbers.length + 1, token }),
    }),
    '1 MiB without a token': rawSender(origin, {
      connections: 300,
      bytesOf: () => post(tokenPath, ' '.repeat(mebibyte - 1), { length: mebibyte }),
    }),
    'unread results': rawSender(origin, {
      connections: 114,
      bytesOf: (token) => gets(`${jobsPath}/${jobId}/results?format=csv`, token, 1),
    }),
    'unread pipelined pages': rawSender(origin, {
      connections: 100,
      bytesOf: (token) => gets(`${offersPath}?pageSize=100`, token, 50),
      sendsOn: true,
    }),
    'log-ins declared, a byte sent': rawSender(origin, {
      connections: 400,
      bytesOf: () => post(tokenPath, ' ', { length: 4 * kibibyte }),
    }),
    'jobs declared, a byte sent': rawSender(origin, {
      connections: 120,
      bytesOf: (token) => post(jobsPath, ' ', { length: 8 * mebibyte, token }),
    }),
    ...attacksByNames(origin),
  } satisfies Readonly<Record<string, Attacker>>;
}

export type AttackName = keyof ReturnType<typeof attacksOn>;
/** The names of all attacks. Attacks on no target begin nothing, but their bodies are made. */
export const attackNames = (): readonly AttackName[] =>
  Object.keys(attacksOn({ origin: '', jobId: '' })) as AttackName[];
