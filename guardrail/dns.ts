import { Resolver } from 'node:dns/promises';
import type { Resolve, ResolvedAddress } from './resolve.ts';

export type DnsOptions = {
  /** Name servers, as `address` or `address:port`, for tests. Default: those of the operating system. */
  readonly servers?: readonly string[];
};

/** A question is asked anew after 0.5 s, 1 s, 2 s, 4 s and given up after another 8 s: as long as a send may take. */
const timing = { timeout: 500, tries: 5 };

/** Once one family has answered, the other has this long: time for one lost packet, and within a caller's 2 s. */
const otherFamilyMsMax = 1000;

type Family = { readonly addresses: readonly string[]; readonly error: unknown };

const hasNone = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  (error.code === 'ENOTFOUND' || error.code === 'ENODATA');

/** In turns, IPv4 first: the connector tries the first few only, and should find both families among them. */
const inTurns = (four: readonly string[], six: readonly string[]): ResolvedAddress[] =>
  Array.from({ length: Math.max(four.length, six.length) }, (_item, index) => [
    four[index],
    six[index],
  ])
    .flat()
    .flatMap((address) => (address === undefined ? [] : [{ address }]));

/**
 * Asks for both families side by side. One that fails, or is later than `otherFamilyMsMax`, is left out if the other
 * answered: an address that was not answered is not connected to, so a forbidden one gains nothing by hiding there, while
 * name servers that drop or spoil AAAA questions are common. Without any address it rejects with the more telling error.
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
  const answers = inTurns(four.addresses, six.addresses);
  // "There is none" for one family says less than "I could not find out" for the other.
  if (answers.length === 0)
    throw hasNone(four.error) && !hasNone(six.error) ? six.error : four.error;
  return answers;
}

type Question = {
  readonly answer: Promise<readonly ResolvedAddress[]>;
  readonly cancel: () => void;
  waiting: number;
};

/** A resolver of its own for each question: to cancel it cancels nothing else, and its source port is a new one. */
function ask(hostname: string, { servers }: DnsOptions): Question {
  const resolver = new Resolver(timing);
  if (servers !== undefined) resolver.setServers(servers);
  return { answer: askBoth(resolver, hostname), cancel: () => resolver.cancel(), waiting: 0 };
}

/**
 * A resolver that speaks DNS itself, to the system's name servers, on sockets of this process's event loop. It has no
 * part in libuv's threads, so names whose servers hang hold nobody else up. No search domain, hosts file or cache: it asks
 * for the name as it is, and callers at the same time share one question. The last one to go cancels it.
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
      // Whoever comes now must not be told that it was cancelled.
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
