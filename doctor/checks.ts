import { correctCounts, wrongCounts, type CountedRows } from '../db/checks/kept-counts.ts';
import { findMessagesSetAside, findStuckMessages } from '../db/checks/outbox-rows.ts';
import { advanceSequences, findSequencesBehind } from '../db/checks/sequences.ts';
import { wrongOfferHistory, wrongReturnHistory } from '../db/checks/status-history.ts';
import { repairSupply, wrongSupply } from '../db/checks/supply-rows.ts';
import { indexOffers, unfoundOffers } from '../db/checks/waiting-offers.ts';
import {
  attemptsWithoutEnd,
  endAttempts,
  eventsOutOfSequence,
  eventsWithoutDelivery,
  listByState,
  renumberAttempts,
  unlistedDeliveries,
  wrongAttemptNumbers,
} from '../db/checks/webhook-rows.ts';
import type { Queryable } from '../db/core/client.ts';
import { findOldSnapshots } from '../db/watch/old-snapshots.ts';
import type { Check } from './check.ts';
import { secretsInHistories } from './history-check.ts';
import { rowsAtOnce, rowsOfTable } from './row-checks.ts';
import { checksOfRuns } from './run-checks.ts';
import { checksOfSecrets } from './secret-checks.ts';

const countCheck = (id: string, title: string, subjectType: string, which: CountedRows): Check =>
  rowsOfTable(
    {
      id,
      title,
      subjectType,
      repair: (sql, owners) => correctCounts(sql, which, owners),
    },
    wrongCounts(which),
  );

/** The first messages are enough to see what is wrong with the others. */
const messagesMax = 1000;
const messageCheck = (id: string, title: string, find: typeof findStuckMessages): Check =>
  rowsAtOnce({ id, title, subjectType: 'message' }, async (sql: Queryable) => {
    const wrong = await find(sql, messagesMax);
    return { checked: wrong.length, wrong };
  });

/**
 * Every kind of damage that the doctor knows, in the order of its report: first what is few, then
 * what has a run, then whole tables.
 */
export const checks: readonly Check[] = [
  rowsAtOnce(
    {
      id: 'sequence-behind',
      title: 'No sequence gives a number a second time',
      subjectType: 'sequence',
      repair: advanceSequences,
    },
    findSequencesBehind,
  ),
  messageCheck(
    'message-stuck',
    'The outbox has no message that is older than five minutes',
    findStuckMessages,
  ),
  messageCheck('message-set-aside', 'No message is set aside', findMessagesSetAside),
  rowsAtOnce(
    {
      id: 'snapshot-old',
      title: 'No session keeps the rows that many transactions have deleted',
      subjectType: 'session',
    },
    async (sql) => {
      const wrong = await findOldSnapshots(sql);
      return { checked: wrong.length, wrong };
    },
  ),
  ...checksOfSecrets,
  ...checksOfRuns,
  rowsOfTable(
    {
      id: 'event-without-delivery',
      title: 'Each event has its deliveries',
      subjectType: 'event',
    },
    eventsWithoutDelivery,
  ),
  rowsOfTable(
    {
      id: 'event-gap',
      title: "Each vendor's events have numbers without a gap",
      subjectType: 'vendor',
    },
    eventsOutOfSequence,
  ),
  rowsOfTable(
    {
      id: 'attempt-without-end',
      title: 'Each attempt that is over has its result',
      subjectType: 'attempt',
      repair: endAttempts,
    },
    attemptsWithoutEnd,
  ),
  rowsOfTable(
    {
      id: 'attempt-numbers',
      title: 'Each delivery counts its attempts, without a gap',
      subjectType: 'delivery',
      repair: renumberAttempts,
    },
    wrongAttemptNumbers,
  ),
  rowsOfTable(
    {
      id: 'delivery-unlisted',
      title: 'Lists by state find each delivery that waits or ended without success',
      subjectType: 'delivery',
      repair: listByState,
    },
    unlistedDeliveries,
  ),
  rowsOfTable(
    {
      id: 'supply-differs',
      title: 'Each supply option is what its offer says',
      subjectType: 'offer',
      repair: repairSupply,
    },
    wrongSupply,
  ),
  rowsOfTable(
    {
      id: 'offer-unfound',
      title: 'A search of the queue finds each offer that waits',
      subjectType: 'offer',
      repair: indexOffers,
    },
    unfoundOffers,
  ),
  rowsOfTable(
    {
      id: 'offer-history',
      title: 'Each offer has the status of its history',
      subjectType: 'offer',
    },
    wrongOfferHistory,
  ),
  rowsOfTable(
    {
      id: 'return-history',
      title: 'Each return has the status of its history',
      subjectType: 'return',
    },
    wrongReturnHistory,
  ),
  countCheck('offer-counts', 'The kept counts of offers are right', 'vendor', 'offers'),
  countCheck('list-counts', 'The kept counts of groups and returns are right', 'vendor', 'lists'),
  countCheck('attempt-counts', 'The kept counts of attempts are right', 'subscription', 'attempts'),
  countCheck('delivery-counts', 'The kept counts of deliveries are right', 'vendor', 'deliveries'),
  countCheck('activity-counts', 'The kept counts by hour are right', 'vendor', 'activity'),
  secretsInHistories,
];

export const checkIds: readonly string[] = checks.map(({ id }) => id);
