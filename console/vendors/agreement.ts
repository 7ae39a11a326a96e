import type { AgreementChange } from '../http/api-types.ts';
import type { AddPages } from '../http/pages.ts';
import { formOf } from '../http/attempt.ts';
import { withQuery } from '../http/gateway-calls.ts';
import type { Next, Page, Visit } from '../http/visit.ts';
import { html, type Html } from '../html/html.ts';
import { card, facts, failureNote, hiddenFields } from '../html/parts.ts';
import { agreementOf, agreementText } from './agreement-form.ts';
import { showVendor } from './vendor.ts';

/** Puts the agreement of the form into effect, or only says what that would do. */
const change = (visit: Visit, query: '' | '?dryRun=true'): Promise<AgreementChange> =>
  visit.send(
    `/operator/v1/vendors/${encodeURIComponent(visit.value('id'))}/agreement${query}`,
    agreementOf(visit),
    { method: 'PATCH' },
  );

/** What confirms a change: the number of offers that it moves, else the vendor's name. */
const confirmationOf = ({ vendor, offersMovedToRepricing: moved }: AgreementChange): string =>
  moved > 0 ? String(moved) : vendor.name.trim();

/** The effects of a change of the agreement, and the form that makes it. */
async function showPreview(visit: Visit, notice: Html | null = null): Promise<Page> {
  const { texts, value } = visit;
  const { vendors } = texts;
  const preview = await change(visit, '?dryRun=true');
  const { vendor, dryRun } = preview;
  const path = `/console/vendors/${vendor.id}`;
  const [now, then] = [vendor.agreement, agreementOf(visit)].map((each) =>
    agreementText(visit, each),
  );
  return {
    title: vendors.change,
    body: html`${notice}
      <div class="head">
        <h1>${vendors.change}</h1>
        <a href="${path}"><bdi>${vendor.name}</bdi></a>
      </div>
      ${card(
        vendors.becomes(now ?? '', then ?? ''),
        html`${facts([
          [vendors.moved, preview.offersMovedToRepricing],
          [texts.statuses.Approved, dryRun?.moved.Approved],
          [texts.statuses.PendingReview, dryRun?.moved.PendingReview],
          [vendors.stopSelling, dryRun?.stopSelling],
          [vendors.stagedDropped, dryRun?.stagedPricesDropped],
        ])}
        ${
          now === then
            ? html`<p>${vendors.same}</p>`
            : html`<form method="post" action="${path}/agreement" class="filter">
                ${hiddenFields({ pricingModel: value('pricingModel'), percent: value('percent') })}
                <label>
                  ${vendors.confirm} <b><bdi>${confirmationOf(preview)}</bdi></b>
                  <input name="confirmation" required autocomplete="off" />
                </label>
                <button class="danger">${vendors.confirmed}</button>
              </form>`
        }`,
      )}`,
  };
}

/** Changes the agreement if the form confirms what the change does by now. */
async function confirmChange(visit: Visit): Promise<Page | Next> {
  if (visit.value('confirmation') !== confirmationOf(await change(visit, '?dryRun=true'))) {
    const notice = failureNote(visit.texts.vendors.wrong);
    return { ...(await showPreview(visit, notice)), status: 409 };
  }
  const { vendor, offersMovedToRepricing: done } = await change(visit, '');
  return { next: withQuery(`/console/vendors/${vendor.id}`, { done }) };
}

export const agreementPages: AddPages = ({ show, submit }) => {
  show('/console/vendors/:id/agreement', formOf(showVendor, showPreview));
  submit('/console/vendors/:id/agreement', formOf(showVendor, confirmChange));
};
