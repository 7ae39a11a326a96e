import { nameForm } from '../../domain/texts/typed-text.ts';
import { html, ui, type api, type Html, type Part, type Texts, type Visit } from '../page.ts';
import { agreementText } from '../vendors/agreement.ts';
import { variantTitle } from './offer-parts.ts';
import type { Decision } from './read-decision.ts';
import { namesOf, parsedFacts, type Facts } from './seen-facts.ts';

/** The names in the API of an offer's facts, and of the facts that a variant has too. */
const apiNames = {
  brand: ['rawBrandName', 'brandName'],
  product: ['rawProductName', 'productName'],
  concentration: ['rawConcentration', 'concentration'],
  size: ['rawSizeMl', 'sizeMl'],
  barcode: ['barcode', 'barcode'],
  sku: ['vendorSku', 'sku'],
  description: ['rawDescription', null],
} as const;
const factNames = Object.keys(apiNames) as (keyof typeof apiNames)[];

const textOf = (fact: string | number | null, { decision }: Texts): string | null =>
  typeof fact === 'number' ? decision.millilitres(fact) : fact;

const offerFacts = ({ product }: Pick<api.OfferDetail, 'product'>, texts: Texts): Facts =>
  Object.fromEntries(factNames.map((name) => [name, textOf(product[apiNames[name][0]], texts)]));

const variantFacts = (variant: api.Variant, texts: Texts): Facts =>
  Object.fromEntries(
    factNames.map((name) => {
      const [, key] = apiNames[name];
      return [name, key && textOf(variant[key], texts)];
    }),
  );

/** An offer's product as it is given to a new variant, whose SKU is the catalogue's own. */
export const asVariant = ({ product }: Pick<api.Offer, 'product'>) => ({
  ...Object.fromEntries(Object.values(apiNames).map(([name, key]) => [key ?? name, product[name]])),
  sku: null,
});

/** The same form for texts that look the same; leading zeros of a barcode do not count. */
const normalized = (text: string | null | undefined): string =>
  nameForm(text ?? '').replace(/^0+(?=\d{7,}$)/, '');

/** The fields whose difference matters; a SKU is the vendor's own. */
const compared = new Set<string>(['brand', 'product', 'concentration', 'size', 'barcode']);

/** The facts that were approved and that differ now, by name; empty without any. */
function editedFacts({ approvedBefore }: api.OfferDetail, texts: Texts): Facts {
  if (approvedBefore === null) return {};
  const { differs, variant } = approvedBefore;
  const edited = factNames.filter((name) => differs.some((each) => each === apiNames[name][0]));
  const approved = offerFacts(approvedBefore, texts);
  return {
    ...Object.fromEntries(edited.map((name) => [name, approved[name] ?? null])),
    ...(differs.includes('variantId') && { match: variant && variantTitle(variant, texts) }),
  };
}

const factsTable = (columns: readonly Part[], rows: readonly Html[]): Html =>
  html`<table class="compare">
    <thead>
      <tr>
        <td></td>
        ${columns.map((column) => column && html`<th>${column}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${rows}
    </tbody>
  </table>`;

/** The offer beside the variant, and for the browser's module beside each candidate. */
export function compareTables(visit: Visit, { offer, variant, choices }: Decision): Html {
  const tables = choices.map(
    (choice) =>
      html`<template data-beside="${choice.variant.id}">
        ${compareTable(visit, offer, choice.variant)}
      </template>`,
  );
  return html`<div id="beside">${compareTable(visit, offer, variant)}</div>
    ${tables}`;
}

/** The offer beside a variant, and beside what was approved; the differences are marked. */
function compareTable(visit: Visit, offer: api.OfferDetail, variant: api.Variant | null): Html {
  const { texts, instant } = visit;
  const { decision, none } = texts;
  const { approvedBefore } = offer;
  const edited = editedFacts(offer, texts);
  const match = 'match' in edited && { match: offer.variant && variantTitle(offer.variant, texts) };
  const mine: Facts = { ...offerFacts(offer, texts), ...match };
  const other = variant === null ? {} : variantFacts(variant, texts);
  // A fact that one of them lacks is no difference.
  const isMarked = (name: keyof Facts): boolean =>
    compared.has(name) &&
    [mine[name], other[name]].every((fact) => (fact ?? null) !== null) &&
    normalized(mine[name]) !== normalized(other[name]);
  const cell = (fact: string | null | undefined, ...marks: readonly string[]): Html => {
    const all = [...marks, (fact ?? null) === null ? 'muted' : ''].filter((mark) => mark !== '');
    const isBarcode = fact != null && all.includes('barcode');
    const shown = isBarcode
      ? ui.barcode(fact, fact === mine.barcode ? other.barcode : mine.barcode)
      : ui.own(fact ?? none);
    return html`<td class="${all.join(' ')}">${shown}</td>`;
  };
  const approved =
    approvedBefore !== null &&
    namesOf(edited).length > 0 &&
    html`${decision.approvedBefore} ${instant(approvedBefore.at)} ·
    ${ui.own(approvedBefore.operatorId)}`;
  const compares =
    variant === null
      ? decision.noVariant
      : html`${ui.link(`/console/catalogue/${variant.id}`, decision.variant)}
        ${!variant.isActive && ui.activeChip(visit, variant)}`;
  const shown = namesOf(mine).filter(
    (name) => (mine[name] ?? other[name] ?? edited[name] ?? null) !== null,
  );
  const rows = shown.map((name) => {
    const size = name === 'barcode' ? 'barcode' : '';
    const mark = isMarked(name) ? 'changed' : '';
    return html`<tr>
      <th scope="row">
        ${decision.fields[name]}
        ${(mark !== '' || name in edited) && ui.chip(decision.differs, 'warn')}
      </th>
      ${approved && cell(name in edited ? edited[name] : mine[name], size)}
      ${cell(mine[name], name in edited ? 'changed' : mark, size)} ${cell(other[name], mark, size)}
    </tr>`;
  });
  return factsTable([approved, decision.offer, compares], rows);
}

/** What a decision judges, as texts, so that a later page can say what has changed. */
function judgedFacts(visit: Visit, offer: api.OfferDetail): Facts {
  const { texts } = visit;
  const { variant, pricing } = offer;
  const { withVat, withoutVat } = texts.decision;
  const entered = (price: typeof pricing.live) =>
    price && `${price.amount.toFixed(2)} ${price.isVatInclusive ? withVat : withoutVat}`;
  return {
    ...offerFacts(offer, texts),
    price: entered(pricing.live),
    staged: entered(pricing.staged),
    sells: (pricing.staged ?? pricing.live)?.sellPrice.toFixed(2) ?? null,
    agreement: agreementText(visit, offer.vendor.agreement),
    status: texts.statuses[offer.status],
    match: variant && `${variantTitle(variant, texts)} · ${variant.sku}`,
  };
}

export const seenFacts = (visit: Visit, offer: api.OfferDetail): string =>
  JSON.stringify(judgedFacts(visit, offer));

/** A table of the facts that differ from those that the form was made with. */
export function changesSince(visit: Visit, offer: api.OfferDetail): Html {
  const { decision, none } = visit.texts;
  const seen = parsedFacts(visit.value('seen'));
  const now = judgedFacts(visit, offer);
  const changed = namesOf(now).filter((name) => (now[name] ?? null) !== (seen[name] ?? null));
  const rows = changed.map((name) => {
    return html`<tr>
      <th scope="row">${decision.fields[name]}</th>
      <td>${ui.own(seen[name] ?? none)}</td>
      <td class="changed">${ui.own(now[name] ?? none)}</td>
    </tr>`;
  });
  return rows.length === 0 ? ui.hint(decision.same) : factsTable([decision.was, decision.is], rows);
}
