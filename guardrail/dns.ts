import { Resolver } from 'node:dns/promises';
import type { Resolve, ResolvedAddress } from './resolve.ts';

export type DnsOptions = {
  /** Name servers as `address` or `address:port`, for tests. Default: the operating system's. */
  readonly servers?: readonly string[];
};

/** Repeats a question after 0.5, 1, 2 and 4 s and gives up 8 s later: the time of a send. */
const timing = { timeout: 500, tries: 5 };

/**
 * After the first family's answer the other one has time for one lost packet, within 2 s in all.
 */
const otherFamilyMsMax = 1000;

type Family = { readonly addresses: readonly string[]; readonly error: unknown };

const hasNone = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  (error.code === 'ENOTFOUND' || error.code === 'ENODATA');

/** Alternates, IPv4 first, so that the first few, which the connector tries, hold both families. */
const alternate = (four: readonly string[], six: readonly string[]): ResolvedAddress[] =>
  Array.from({ length: Math.max(four.length, six.length) }, (_item, index) => [
    four[index],
    six[index],
  ])
    .flat()
    .flatMap((address) => (address === undefined ? [] : [{ address }]));

/**
 * Asks for both families at the same time. If one answers, the other may fail or be later than
 * `otherFamilyMsMax`, because name servers that drop AAAA questions are common. A forbidden address
 * in the missing answer is harmless: connections go to answered addresses only. Rejects with the
 * more specific error when neither family has an address.
 */
async function askBoth(resolver: Resolver, hostname: string): Promise<readonly ResolvedAddress[]> {
  let timer: NodeJS.Timeout | undefined;
  const settled = async (asked: Promise<readonly string[]>): Promise<Family> => {
    try {
      const addresses = await asked;
      timer ??= setTimeout(() => resolver.cancel(), otherFamilyMsMax);
      return { addresses, error: undefined };
    } catch (error) {
      return { addresses: [], error };
    }
  };
  const families = [
    settled(resolver.resolve4(hostname)),
    settled(resolver.resolve6(hostname)),
  ] as const;
  const [four, six] = await Promise.all(families);
  clearTimeout(timer);
  const answers = alternate(four.addresses, six.addresses);
  // "No such record" for one family is less specific than a failure of the other.
  if (answers.length === 0)
    throw hasNone(four.error) && !hasNone(six.error) ? six.error : four.error;
  return answers;
}

type Question = {
  readonly answer: Promise<readonly ResolvedAddress[]>;
  readonly cancel: () => void;
  waiting: number;
};

/** Each question has its own resolver: cancelling ends no other question, and its port is new. */
function ask(hostname: string, { servers }: DnsOptions): Question {
  const resolver = new Resolver(timing);
  if (servers !== undefined) resolver.setServers(servers);
  return { answer: askBoth(resolver, hostname), cancel: () => resolver.cancel(), waiting: 0 };
}

/**
 * Creates a resolver that asks the system's name servers over DNS, on sockets of the event loop. It
 * does not use libuv's threads, so a hanging name server delays no other look-up. It has no search
 * domain, hosts file or cache. Concurrent callers share one question; the last one to leave cancels
 * it.
 */
export function createDnsResolve(options: DnsOptions = {}): Resolve {
  const questions = new Map<string, Question>();

  const forget = (hostname: string, question: Question) => {
    if (questions.get(hostname) === question) questions.delete(hostname);
  };

  return async (hostname, signal) => {
    signal.throwIfAborted();
    const question = questions.get(hostname) ?? ask(hostname, options);
    questions.set(hostname, question);
    question.waiting += 1;
    const leave = () => {
      question.waiting -= 1;
      if (question.waiting > 0) return;
      // A later caller must not join the cancelled question.
      forget(hostname, question);
      question.cancel();
    };
    signal.addEventListener('abort', leave, { once: true });
    try {
      return await question.answer;
    } finally {
      signal.removeEventListener('abort', leave);
      forget(hostname, question);
    }
  };
}

/** {@link createDnsResolve} with the system's name servers. */
export const dnsResolve = createDnsResolve();
