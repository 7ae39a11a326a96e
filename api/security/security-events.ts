import type { FastifyBaseLogger } from 'fastify';

/** The names of the security log's lines, without `security.` (docs/operating/logs.md). */
export const securityEventNames = [
  'login_succeeded',
  'login_failed',
  'token_refused',
  'access_refused',
  'capability_refused',
  'resource_refused',
  'rate_limited',
  'change',
] as const;
export type SecurityEventName = (typeof securityEventNames)[number];

/** Facts of a line: ids, names and networks, and no token, secret or whole address. */
export type SecurityFacts = Readonly<Record<string, string | null>>;

type Counter = { lines: number; suppressed: number };

type ByName<T> = Record<SecurityEventName, T>;
const byName = <T>(make: () => T) =>
  Object.fromEntries(securityEventNames.map((name) => [name, make()])) as ByName<T>;
const emptyCounter = (): Counter => ({ lines: 0, suppressed: 0 });

/**
 * The security log of one process. In a minute it writes at most `subjectLinesMax` lines of an
 * event for one subject and `eventLinesMax` of an event, so that a caller cannot flood the log; the
 * rest is counted. `subjectsMax` bounds the memory: later subjects of the minute share one count.
 */
export function createSecurityEvents(
  log: Pick<FastifyBaseLogger, 'info'>,
  { subjectLinesMax = 10, eventLinesMax = 600, subjectsMax = 10_000 } = {},
) {
  const totals = byName(() => 0);
  let ofEvents = byName(emptyCounter);
  let ofSubjects = new Map<string, Counter>();
  let isChanged = false;
  const counterOf = (name: SecurityEventName, subject: string): Counter => {
    const wanted = `${name} ${subject}`;
    const key = ofSubjects.has(wanted) || ofSubjects.size < subjectsMax ? wanted : `${name} others`;
    const counter = ofSubjects.get(key) ?? emptyCounter();
    ofSubjects.set(key, counter);
    return counter;
  };
  return {
    totals: (): Readonly<ByName<number>> => totals,
    /** Counts an event and logs it. Lines with the same subject are bounded. */
    record: (name: SecurityEventName, subject: string, facts: SecurityFacts): void => {
      totals[name] += 1;
      isChanged = true;
      const [ofEvent, ofSubject] = [ofEvents[name], counterOf(name, subject)];
      if (ofSubject.lines >= subjectLinesMax || ofEvent.lines >= eventLinesMax) {
        ofEvent.suppressed += 1;
        return;
      }
      ofEvent.lines += 1;
      ofSubject.lines += 1;
      log.info({ event: `security.${name}`, ...facts }, 'security event');
    },
    /** Logs what was not logged in the last minute, and the totals since the start. */
    endMinute: (): void => {
      for (const name of securityEventNames) {
        const { suppressed } = ofEvents[name];
        if (suppressed === 0) continue;
        const line = { event: 'security.suppressed', of: `security.${name}`, suppressed };
        log.info(line, 'security events that were counted and not logged');
      }
      if (isChanged) log.info({ event: 'security.totals', ...totals }, 'security events so far');
      isChanged = false;
      ofEvents = byName(emptyCounter);
      ofSubjects = new Map();
    },
  };
}

export type SecurityEvents = ReturnType<typeof createSecurityEvents>;
