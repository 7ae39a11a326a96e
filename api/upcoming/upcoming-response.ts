import * as v from 'valibot';
import { capabilityForUpcoming, upcomingKinds } from '../../domain/upcoming.ts';
import { pageOf } from '../http/envelope.ts';
import { described, describeValues } from '../validation/described.ts';
import {
  enumeration,
  field,
  list,
  orNull,
  titled,
  vendorId,
} from '../validation/response-parts.ts';
import { sample } from '../validation/sample.ts';
import type { Upcoming } from './upcoming-items.ts';

const texts = {
  ReturnInspectionStart: 'the inspection of a return starts.',
  ReturnInspectionEnd: 'an inspection window ends; without a proposal it decides.',
  WebhookRetry: 'a failed delivery is attempted again.',
  WebhookDeactivation: 'a subscription that only fails may become inactive: not before `at`.',
  CredentialExpiry: 'a credential expires.',
};
export const upcomingKindText = [
  describeValues(
    'What happens.',
    Object.fromEntries(
      upcomingKinds.map((kind) => [
        kind,
        `${texts[kind]} Requires \`${capabilityForUpcoming[kind]}\`.`,
      ]),
    ),
  ),
  'ReturnInspectionEnd',
] as const;
const completeUntil = field.instantOrNull(
  'From this instant on, in UTC, the list is incomplete; null: it is complete.',
  null,
);
const kind = enumeration('UpcomingKind', upcomingKinds, ...upcomingKindText);

const upcomingResponse = titled('Upcoming', {
  kind,
  at: field.instant(
    'When it happens, in UTC. A credential expires in real time.',
    sample.inspectionDeadline,
  ),
  subject: described(
    titled('UpcomingSubject', {
      returnId: field.idOrNull('The return; else null.', sample.returnId),
      subscriptionId: field.idOrNull('The webhook subscription; else null.', null),
      eventId: field.textOrNull('The webhook event of a retry; else null.', null),
      credentialId: field.idOrNull('The credential; else null.', null),
    }),
    'What it happens to.',
  ),
  outcome: orNull(
    v.picklist(['AcceptedDefect', 'AcceptedSound', 'NeedsStaff']),
    'What the end of an inspection window decides, `NeedsStaff` if staff must decide; else null.',
    'AcceptedDefect',
  ),
  attemptNumber: field.integerOrNull('The number of the next attempt of a retry.', null),
  summary: field.text('What happens, as a sentence.', 'The inspection starts.'),
  stoppedBy: field.text('What prevents it, as a sentence.', 'Propose an outcome.'),
  link: field.text('The path that reads its subject.', `/api/v1/scent/returns/${sample.returnId}`),
});

/** The list, and how far it reaches. */
export const upcomingPage = titled('UpcomingPage', {
  ...pageOf(upcomingResponse).entries,
  kinds: list(
    kind,
    'The kinds that the list has: those that the call asks for and the token may read.',
  ),
  completeUntil,
});

const noSubject = { returnId: null, subscriptionId: null, eventId: null, credentialId: null };

export const toUpcomingResponse = (event: Upcoming): v.InferInput<typeof upcomingResponse> => ({
  outcome: null,
  attemptNumber: null,
  ...event,
  at: event.at,
  subject: { ...noSubject, ...event.subject },
});

/** An upcoming change as operators see it: with its vendor, and links to their routes. */
const operatorUpcomingResponse = titled('OperatorUpcoming', {
  ...upcomingResponse.entries,
  kind: enumeration(
    'OperatorUpcomingKind',
    upcomingKinds,
    describeValues('What happens.', texts),
    'ReturnInspectionEnd',
  ),
  vendorId,
  link: field.text(
    'The path that reads its subject, or the list that has it.',
    `/operator/v1/returns/${sample.returnId}`,
  ),
});
export const operatorUpcomingPage = titled('OperatorUpcomingPage', {
  ...pageOf(operatorUpcomingResponse).entries,
  completeUntil,
});

/** The operators' path for the subject of a change. */
function operatorLink({ kind: of, subject, vendorId: owner }: Upcoming): string {
  const { returnId, subscriptionId, eventId } = subject;
  if (returnId !== undefined) return `/operator/v1/returns/${returnId}`;
  if (of === 'CredentialExpiry') return `/operator/v1/vendors/${owner}/credentials`;
  return of === 'WebhookRetry'
    ? `/operator/v1/webhook-deliveries?eventId=${eventId}&subscriptionId=${subscriptionId}`
    : `/operator/v1/webhook-subscriptions?vendorId=${owner}`;
}

export const toOperatorUpcomingResponse = (
  event: Upcoming,
): v.InferInput<typeof operatorUpcomingResponse> => ({
  ...toUpcomingResponse(event),
  vendorId: event.vendorId ?? '',
  link: operatorLink(event),
});
