import type { Queryable } from '../../db/core/client.ts';
import {
  listDueReturns,
  listExpiringCredentials,
  listFailingSubscriptions,
  listWaitingRetries,
  type UpcomingQuery,
} from '../../db/upcoming/upcoming-changes.ts';
import type { FailureLimit } from '../../db/webhooks/attempts/record-attempts.ts';
import {
  dueStep,
  silenceOutcome,
  windowEnd,
  type ReturnRequest,
} from '../../domain/returns/return-request.ts';
import type { UpcomingKind } from '../../domain/upcoming.ts';

/** An upcoming change in the form of the response, without its instant. */
export type Upcoming = {
  readonly kind: UpcomingKind;
  readonly vendorId: string | null;
  readonly at: Date;
  readonly subject: Partial<
    Record<'returnId' | 'subscriptionId' | 'eventId' | 'credentialId', string>
  >;
  readonly outcome?: 'AcceptedDefect' | 'AcceptedSound' | 'NeedsStaff';
  readonly attemptNumber?: number;
  readonly summary: string;
  readonly stoppedBy: string;
  readonly link: string;
};

type Source = (
  sql: Queryable,
  query: UpcomingQuery,
  limit: FailureLimit,
) => Promise<readonly Upcoming[]>;

/** How the changes of each kind are read and described. */
export const upcomingSources: Readonly<Record<UpcomingKind, Source>> = {
  ReturnInspectionStart: async (sql, query) =>
    (await listDueReturns(sql, 'startInspection', query)).flatMap(inspectionStart),
  ReturnInspectionEnd: async (sql, query) =>
    (await listDueReturns(sql, 'endWindow', query)).flatMap(inspectionEnd),
  WebhookRetry: async (sql, query) =>
    (await listWaitingRetries(sql, query)).map(
      ({ vendorId, at, subscriptionId, eventId, eventType, attempts }) => ({
        kind: 'WebhookRetry',
        vendorId,
        at,
        subject: { subscriptionId, eventId },
        attemptNumber: attempts + 1,
        summary: `The event ${eventType} is sent again: attempt ${attempts + 1}.`,
        stoppedBy: 'Deactivating or deleting the subscription ends the delivery.',
        link: `/api/v1/webhooks/${subscriptionId}/deliveries?eventId=${eventId}`,
      }),
    ),
  WebhookDeactivation: async (sql, query, limit) =>
    (await listFailingSubscriptions(sql, query, limit)).map(
      ({ vendorId, at, subscriptionId, failingSince, deadLetters }) => ({
        kind: 'WebhookDeactivation',
        vendorId,
        at,
        subject: { subscriptionId },
        summary:
          'The subscription becomes inactive at the earliest then, when a delivery becomes a ' +
          `dead letter, if it is at least number ${limit.deadLetters}: every attempt has failed ` +
          `since ${failingSince.toISOString()}, with ${deadLetters} dead letters so far.`,
        stoppedBy: 'Any successful attempt, also of a sample, and another URL.',
        link: `/api/v1/webhooks/${subscriptionId}`,
      }),
    ),
  CredentialExpiry: async (sql, query) =>
    (await listExpiringCredentials(sql, query)).map(({ vendorId, at, credentialId, clientId }) => ({
      kind: 'CredentialExpiry',
      vendorId,
      at,
      subject: { credentialId },
      summary: `The credential ${clientId} expires and gets no more tokens.`,
      stoppedBy: 'Nothing extends a credential. Generate another one and use it before then.',
      link: '/api/v1/credentials',
    })),
};

type Step = Pick<Upcoming, 'kind' | 'outcome' | 'summary' | 'stoppedBy'>;

/** A step of a return; empty where it has no such step, as after a concurrent change. */
const stepOf = (
  { id, vendorId }: ReturnRequest,
  at: Date | null,
  step: Step,
): readonly Upcoming[] =>
  at === null
    ? []
    : [{ ...step, vendorId, at, subject: { returnId: id }, link: `/api/v1/scent/returns/${id}` }];

function inspectionStart(request: ReturnRequest): readonly Upcoming[] {
  const due = dueStep(request);
  return stepOf(request, due?.step === 'startInspection' ? due.at : null, {
    kind: 'ReturnInspectionStart',
    summary: `The inspection of the return ${request.number} starts, and its inspection window.`,
    stoppedBy: 'Nothing stops it. The service may start the inspection earlier.',
  });
}

function inspectionEnd(request: ReturnRequest): readonly Upcoming[] {
  const outcome = silenceOutcome(request);
  const kind = 'ReturnInspectionEnd';
  const end = `The inspection window of the return ${request.number} ends.`;
  const step: Step =
    outcome === null
      ? {
          kind,
          outcome: 'NeedsStaff',
          summary: `${end} The proposal stays, and staff must decide.`,
          stoppedBy: 'A decision of the service before then.',
        }
      : {
          kind,
          outcome,
          summary: `${end} Without a proposal the outcome is ${outcome}.`,
          stoppedBy: 'A proposal before then; it needs a photo.',
        };
  return stepOf(request, windowEnd(request), step);
}
