import { gets, pageReader, post, rawSender, type Attacker } from './attackers.ts';

export const attackNames = [
  'deep pages',
  'include=history',
  '1 MiB of commas',
  '8 MiB of numbers',
  '8 MiB without the last byte',
  '1 MiB without a token',
  'unread results',
  'unread pipelined pages',
] as const;
export type AttackName = (typeof attackNames)[number];

/** The API, and a job of the attacker with a large file of results. */
type Target = { readonly origin: string; readonly jobId: string };
/** Asks the attacker's process to attack for so long. */
export type AttackQuestion = Target & {
  readonly name: AttackName;
  readonly token: string;
  readonly ms: number;
};

const mebibyte = 1024 * 1024;
const offersPath = '/api/v1/scent/offers';
const jobsPath = '/api/v1/scent/jobs';

/** Each attack by one vendor, or by a caller without a token. */
export function attacksOn({ origin, jobId }: Target): Readonly<Record<AttackName, Attacker>> {
  const manyNumbers = `{"kind":"pushStocks","items":[${'1,'.repeat(4 * mebibyte - 100)}1]}`;
  return {
    'deep pages': pageReader(
      origin,
      60,
      (n) => `${offersPath}?page=${1 + ((n * 7919) % 2000)}&pageSize=100`,
    ),
    'include=history': pageReader(origin, 60, () => `${offersPath}?include=history&pageSize=100`),
    '1 MiB of commas': rawSender(origin, {
      connections: 8,
      bytesOf: (token) =>
        post(`${jobsPath}?kind=pushStocks`, ','.repeat(mebibyte), { type: 'text/csv', token }),
      readsAnswers: true,
    }),
    '8 MiB of numbers': rawSender(origin, {
      connections: 8,
      bytesOf: (token) => post(jobsPath, manyNumbers, { token }),
      readsAnswers: true,
    }),
    '8 MiB without the last byte': rawSender(origin, {
      connections: 120,
      bytesOf: (token) => post(jobsPath, manyNumbers, { length: manyNumbers.length + 1, token }),
    }),
    '1 MiB without a token': rawSender(origin, {
      connections: 300,
      bytesOf: () => post('/api/v1/auth/token', ' '.repeat(mebibyte - 1), { length: mebibyte }),
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
  };
}
