import type { Job } from '../../db/jobs/job-row.ts';
import type { NewJobResult, QueuedItem } from '../../db/jobs/job-results.ts';
import {
  errorCatalogue,
  fieldError,
  invalid,
  type Failure,
  type Result,
} from '../../domain/errors.ts';
import type { JobItem, NamedItem } from '../../domain/jobs/job-item.ts';
import { recordChange } from '../../domain/jobs/recorded-change.ts';
import type { ItemOutcome } from '../offers/push-items.ts';
import type { Submitted } from '../offers/submit-offers.ts';

const noOffer = {
  offerId: null,
  vendorExternalId: null,
  version: null,
  change: null,
  isMalformed: false,
} as const;

/** The result of a failed item, with the ids that were sent. */
export const failed = ({ index, item }: QueuedItem, { code, details }: Failure): NewJobResult => ({
  index,
  httpStatus: errorCatalogue[code].status,
  state: code,
  ...noOffer,
  ...sentNameOf(item),
  isMalformed: item.type === 'malformed',
  details,
});

function sentNameOf(item: JobItem): Pick<NewJobResult, 'offerId' | 'vendorExternalId'> {
  if (item.type === 'nothing') return { offerId: null, vendorExternalId: null };
  if (item.type !== 'create') return item.name;
  return { offerId: null, vendorExternalId: item.declaration.vendorExternalId };
}

const success = (index: number, httpStatus = 200) =>
  ({ index, httpStatus, state: 'SUCCESS', ...noOffer, details: {} }) as const;

/** The result of a restoration that had nothing to restore. */
export const unchanged = (index: number): NewJobResult => ({
  ...success(index),
  details: { nothingToRestore: true },
});

/** The result of a create. An offer that is rolled back, which a later item may name, has no id. */
export function ofCreation(
  queued: QueuedItem,
  submitted: Result<Submitted>,
  rolledBack: ReadonlySet<string>,
): NewJobResult {
  const { index } = queued;
  if (!submitted.ok) return failed(queued, submitted.failure);
  const { offer, isNew } = submitted.value;
  return {
    ...success(index, isNew ? 201 : 200),
    offerId: rolledBack.has(offer.id) ? null : offer.id,
    vendorExternalId: offer.vendorExternalId,
    version: offer.version,
    details: isNew ? {} : { existing: true },
    change: !isNew || rolledBack.has(offer.id) ? null : recordChange(null, offer),
  };
}

/** The result of an edit, a push or a restoration. */
export function ofChange(
  { index, offer, pushed }: ItemOutcome,
  item: NamedItem,
  { validateOnly }: Job,
): NewJobResult {
  const ids = offer === null ? {} : { offerId: offer.id, vendorExternalId: offer.vendorExternalId };
  if (!pushed.ok) {
    // The single call checks the body before it looks for the offer.
    const isMalformed = offer === null && item.type === 'malformedOlderForm';
    const failure = isMalformed ? item.failure : pushed.failure;
    return { ...failed({ index, item }, failure), ...ids };
  }
  const { before, after } = pushed.value;
  return {
    ...success(index),
    offerId: after.id,
    vendorExternalId: after.vendorExternalId,
    version: after.version,
    change: validateOnly || before === after ? null : recordChange(before, after),
  };
}

/**
 * The failure of an item whose new vendorExternalId belongs to another offer. The item names its
 * own offer by an id only.
 */
export const externalIdTaken = (queued: QueuedItem): NewJobResult =>
  failed(
    queued,
    invalid(fieldError('vendorExternalId', 'taken', 'is the vendorExternalId of another offer'))
      .failure,
  );
