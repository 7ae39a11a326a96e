import { isTyped } from '../../domain/texts/typed-text.ts';
import { attempt } from '../http/pages.ts';
import { apiPath, html, Refusal, ui } from '../page.ts';
import type { Act, api, Html, Pages, ShowPage, Visit } from '../page.ts';

type Agreement = api.Vendor['agreement'];

export const agreementText = (
  { texts: { decision } }: Visit,
  { markupPercent, commissionPercent }: Pick<Agreement, 'markupPercent' | 'commissionPercent'>,
): string =>
  markupPercent === null
    ? decision.commission(commissionPercent ?? 0)
    : decision.markup(markupPercent);

/** The fields of an agreement; those of a form that was refused stay. */
export const agreementFields = (visit: Visit, present?: Agreement): Html => {
  const { vendors, decision } = visit.texts;
  // The form that leads to the preview has its fields in the address.
  const given = visit.url.includes('/agreement?') ? visit.value : visit.typed;
  const models = Object.entries(vendors.models);
  const model = given('pricingModel') || present?.pricingModel;
  const number = html`inputmode="decimal" dir="ltr" autocomplete="off" required`;
  return html`${ui.selectField(visit, decision.fields.agreement, 'pricingModel', models, model)}
  ${ui.textField(visit, vendors.percent, 'percent', given('percent'), number)}`;
};

/** The agreement in the form, as the API takes it; without a percentage the API refuses it. */
export function agreementOf({ value, digits }: Visit) {
  const typed = digits('percent').replace(/\s*[%٪]$/, '');
  // The API refuses what is no number, and says so.
  const percent = (/^-?\d+(?:\.\d+)?$/.test(typed) ? Number(typed) : typed || null) as
    number | null;
  return value('pricingModel') === 'PercentageOfSale'
    ? { pricingModel: 'PercentageOfSale', commissionPercent: percent, markupPercent: null }
    : { pricingModel: 'CostPlusMargin', markupPercent: percent, commissionPercent: null };
}

/** Puts the agreement of the form into effect, or only says what that would do. */
const switchTo = (visit: Visit, expectedMoved: number | null): Promise<api.AgreementChange> => {
  const path = apiPath`/operator/v1/vendors/${visit.id}/agreement`;
  const query = { dryRun: expectedMoved === null ? 'true' : null };
  return visit.send(path, { ...agreementOf(visit), expectedMoved }, { method: 'PATCH', query });
};

/** What confirms a change: the number of offers that it moves, else the vendor's name. */
const confirmationOf = ({ vendor, offersMovedToRepricing: moved }: api.AgreementChange): string =>
  moved > 0 ? String(moved) : vendor.name.trim();

/** The effects of a change of the agreement, and the form that makes it. */
const showPreview: ShowPage = async (visit, notice) => {
  const { texts, value } = visit;
  const { vendors } = texts;
  const preview = await switchTo(visit, null);
  const { vendor, dryRun, offersMovedToRepricing: expectedMoved } = preview;
  const losePrice = dryRun?.losePrice ?? [];
  const path = `/console/vendors/${vendor.id}`;
  const now = agreementText(visit, vendor.agreement);
  const then = agreementText(visit, agreementOf(visit));
  const fields = { pricingModel: value('pricingModel'), percent: value('percent'), expectedMoved };
  const label = html`${vendors.confirm} <b>${ui.own(confirmationOf(preview))}</b>`;
  const form = html`<form method="post" action="${path}/agreement" class="filter">
    ${ui.hiddenFields(fields)}
    ${ui.textField(visit, label, 'confirmation', visit.typed('confirmation'), html`required autocomplete="off"`)}
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
      losePrice.length > 0 && [
        html`<h2>${vendors.losePrice}</h2>`,
        ui.facts(losePrice.map(({ status, count }) => [texts.statuses[status], count])),
      ],
      now === then ? html`<p>${vendors.same}</p>` : form,
    ]),
  };
};

/** Changes the agreement if the form confirms what its preview has shown, and that still holds. */
const confirmChange: Act = async (visit) => {
  const { value, texts } = visit;
  const expectedMoved = Number(value('expectedMoved'));
  const now = await switchTo(visit, null);
  const confirmation = confirmationOf({ ...now, offersMovedToRepricing: expectedMoved });
  const asked = async () => {
    visit.faults.set('confirmation', texts.vendors.wrong);
    const notice = ui.failureNote(texts.vendors.wrong);
    return { ...(await showPreview(visit, notice)), status: 409 };
  };
  if (!isTyped(value('confirmation'), confirmation)) return asked();
  const changed = await switchTo(visit, expectedMoved).catch((error: unknown) => {
    if (error instanceof Refusal && error.status === 409) return null;
    throw error;
  });
  if (changed === null) return asked();
  const { vendor, offersMovedToRepricing: done } = changed;
  return { next: ui.withQuery(`/console/vendors/${vendor.id}`, { done }) };
};

/** The pages of an agreement; a refused one shows the vendor again. */
export function agreementPages({ show, submit }: Pages, showVendor: ShowPage): void {
  show('/console/vendors/:id/agreement', attempt(showPreview, showVendor));
  submit('/console/vendors/:id/agreement', confirmChange, showVendor);
}
