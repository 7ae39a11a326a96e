import { attempt } from '../http/pages.ts';
import { html, ui } from '../page.ts';
import type { Act, api, Html, Pages, ShowPage, Visit } from '../page.ts';

type Agreement = api.Vendor['agreement'];

export const agreementText = (
  { texts: { decision } }: Visit,
  { markupPercent, commissionPercent }: Pick<Agreement, 'markupPercent' | 'commissionPercent'>,
): string =>
  markupPercent === null
    ? decision.commission(commissionPercent ?? 0)
    : decision.markup(markupPercent);

export const agreementFields = ({ texts: { vendors } }: Visit, present?: Agreement): Html => {
  const models = Object.entries(vendors.models);
  const number = html`type="number" min="0" step="0.01" required`;
  return html`${ui.selectField(vendors.agreement, 'pricingModel', models, present?.pricingModel)}
  ${ui.textField(vendors.percent, 'percent', '', number)}`;
};

/** The agreement in the form, as the API takes it; without a percentage the API refuses it. */
export function agreementOf({ value }: Visit) {
  const percent = value('percent') === '' ? null : Number(value('percent'));
  return value('pricingModel') === 'PercentageOfSale'
    ? { pricingModel: 'PercentageOfSale', commissionPercent: percent, markupPercent: null }
    : { pricingModel: 'CostPlusMargin', markupPercent: percent, commissionPercent: null };
}

/** Puts the agreement of the form into effect, or only says what that would do. */
const switchTo = (visit: Visit, query: '' | '?dryRun=true'): Promise<api.AgreementChange> =>
  visit.send(`/operator/v1/vendors/${visit.id}/agreement${query}`, agreementOf(visit), 'PATCH');

/** What confirms a change: the number of offers that it moves, else the vendor's name. */
const confirmationOf = ({ vendor, offersMovedToRepricing: moved }: api.AgreementChange): string =>
  moved > 0 ? String(moved) : vendor.name.trim();

/** The effects of a change of the agreement, and the form that makes it. */
const showPreview: ShowPage = async (visit, notice) => {
  const { texts, value } = visit;
  const { vendors } = texts;
  const preview = await switchTo(visit, '?dryRun=true');
  const { vendor, dryRun } = preview;
  const path = `/console/vendors/${vendor.id}`;
  const now = agreementText(visit, vendor.agreement);
  const then = agreementText(visit, agreementOf(visit));
  const fields = { pricingModel: value('pricingModel'), percent: value('percent') };
  const label = html`${vendors.confirm} <b>${ui.own(confirmationOf(preview))}</b>`;
  const form = html`<form method="post" action="${path}/agreement" class="filter">
    ${ui.hiddenFields(fields)}
    ${ui.textField(label, 'confirmation', '', html`required autocomplete="off"`)}
    <button class="danger">${vendors.confirmed}</button>
  </form>`;
  return {
    title: vendors.change,
    beside: ui.link(path, ui.own(vendor.name)),
    notice,
    content: ui.card(vendors.becomes(now, then), [
      ui.facts([
        [vendors.moved, preview.offersMovedToRepricing],
        [texts.statuses.Approved, dryRun?.moved.Approved],
        [texts.statuses.PendingReview, dryRun?.moved.PendingReview],
        [vendors.stopSelling, dryRun?.stopSelling],
        [vendors.stagedDropped, dryRun?.stagedPricesDropped],
      ]),
      now === then ? html`<p>${vendors.same}</p>` : form,
    ]),
  };
};

/** Changes the agreement if the form confirms what the change does by now. */
const confirmChange: Act = async (visit) => {
  if (visit.value('confirmation') !== confirmationOf(await switchTo(visit, '?dryRun=true'))) {
    const notice = ui.failureNote(visit.texts.vendors.wrong);
    return { ...(await showPreview(visit, notice)), status: 409 };
  }
  const { vendor, offersMovedToRepricing: done } = await switchTo(visit, '');
  return { next: ui.withQuery(`/console/vendors/${vendor.id}`, { done }) };
};

/** The pages of an agreement; a refused one shows the vendor again. */
export function agreementPages({ show, submit }: Pages, showVendor: ShowPage): void {
  show('/console/vendors/:id/agreement', attempt(showPreview, showVendor));
  submit('/console/vendors/:id/agreement', confirmChange, showVendor);
}
