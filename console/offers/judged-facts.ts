import type { OfferDetail, Variant } from '../http/api-types.ts';
import type { Visit } from '../http/visit.ts';
import { instant, money } from '../html/formats.ts';
import { html, type Html } from '../html/html.ts';
import type { Texts } from '../texts/texts.ts';
import { pricesOf, variantTitle } from './offer-facts.ts';

type FieldName = keyof Texts['decision']['fields'];
type Facts = Readonly<Partial<Record<FieldName, string | null>>>;

const sized = (size: number | null, { decision }: Texts): string | null =>
  size === null ? null : decision.millilitres(size);

/** The names of an offer's facts in the API. */
const apiNames = {
  brand: 'rawBrandName',
  product: 'rawProductName',
  concentration: 'rawConcentration',
  size: 'rawSizeMl',
  barcode: 'barcode',
  sku: 'vendorSku',
  description: 'rawDescription',
  match: 'variantId',
} as const;

const offerFacts = ({ product }: Pick<OfferDetail, 'product'>, texts: Texts): Facts => ({
  brand: product.rawBrandName,
  product: product.rawProductName,
  concentration: product.rawConcentration,
  size: sized(product.rawSizeMl, texts),
  barcode: product.barcode,
  sku: product.vendorSku,
  description: product.rawDescription,
});

const variantFacts = (variant: Variant, texts: Texts): Facts => ({
  brand: variant.brandName,
  product: variant.productName,
  concentration: variant.concentration,
  size: sized(variant.sizeMl, texts),
  barcode: variant.barcode,
  sku: variant.sku,
});

/** Texts that mean the same: letter case, blanks and leading zeros of a barcode do not count. */
const normalized = (text: string | null | undefined): string =>
  (text ?? '')
    .trim()
    .replaceAll(/\s+/g, ' ')
    .toLowerCase()
    .replace(/^0+(?=\d{7,}$)/, '');

/** The fields whose difference matters; a SKU is the vendor's own. */
const compared: ReadonlySet<string> = new Set([
  'brand',
  'product',
  'concentration',
  'size',
  'barcode',
]);

const namesOf = (facts: Facts): readonly FieldName[] => Object.keys(facts) as FieldName[];

/** The facts that were approved and that differ now, by name; empty without such a fact. */
function editedFacts({ approvedBefore }: OfferDetail, texts: Texts): Facts {
  if (approvedBefore === null) return {};
  const { differs, variant } = approvedBefore;
  const match = variant === null ? null : variantTitle(variant, texts);
  const approved: Facts = { ...offerFacts(approvedBefore, texts), match };
  const names = Object.keys(apiNames) as (keyof typeof apiNames)[];
  const edited = names.filter((name) => differs.includes(apiNames[name]));
  return Object.fromEntries(edited.map((name) => [name, approved[name] ?? null]));
}

/** The offer beside a variant, and beside what was approved; the differences are marked. */
export function compareTable(
  { texts, language }: Visit,
  offer: OfferDetail,
  variant: Variant | null,
): Html {
  const { decision, none } = texts;
  const { approvedBefore } = offer;
  const edited = editedFacts(offer, texts);
  const isEdited = namesOf(edited).length > 0;
  const own: Facts = {
    ...offerFacts(offer, texts),
    ...('match' in edited && {
      match: offer.variant === null ? null : variantTitle(offer.variant, texts),
    }),
  };
  const other = variant === null ? {} : variantFacts(variant, texts);
  const isMarked = (name: FieldName): boolean =>
    variant !== null && compared.has(name) && normalized(own[name]) !== normalized(other[name]);
  const cell = (fact: string | null | undefined, mark: string): Html =>
    html`<td class="${mark}"><bdi>${fact ?? none}</bdi></td>`;
  return html`<table class="compare">
    <thead>
      <tr>
        <td></td>
        ${
          isEdited &&
          approvedBefore !== null &&
          html`<th>
            ${decision.approvedBefore} ${instant(approvedBefore.at, language)},
            <bdi>${approvedBefore.operatorId}</bdi>
          </th>`
        }
        <th>${decision.offer}</th>
        <th>
          ${variant === null ? decision.noVariant : decision.variant}
          ${variant?.isActive === false && html`<span class="chip bad">${decision.inactive}</span>`}
        </th>
      </tr>
    </thead>
    <tbody>
      ${namesOf(own).map((name) => {
        if ((own[name] ?? other[name] ?? edited[name] ?? null) === null) return null;
        const size = name === 'barcode' ? 'barcode' : '';
        const mark = isMarked(name) ? 'changed' : '';
        return html`<tr>
          <th scope="row">${decision.fields[name]}</th>
          ${isEdited && cell(name in edited ? edited[name] : own[name], size)}
          ${cell(own[name], `${name in edited ? 'changed' : mark} ${size}`)}
          ${cell(other[name], `${mark} ${size}`)}
        </tr>`;
      })}
    </tbody>
  </table>`;
}

/** What a decision judges, as texts, so that a later page can say what has changed. */
function judgedFacts(offer: OfferDetail, texts: Texts): Facts {
  const { live, staged } = pricesOf(offer);
  return {
    ...offerFacts(offer, texts),
    price: live?.toFixed(2) ?? null,
    staged: staged?.toFixed(2) ?? null,
    status: texts.statuses[offer.status],
    match: offer.product.variantId,
  };
}

/** The facts as the value of a form's field. */
export const seenFacts = ({ texts }: Visit, offer: OfferDetail): string =>
  JSON.stringify(judgedFacts(offer, texts));

function parsedFacts(text: string): Facts {
  try {
    return JSON.parse(text) as Facts;
  } catch {
    return {};
  }
}

const shown = (fact: unknown): Html =>
  typeof fact === 'string' ? html`<bdi>${fact}</bdi>` : money(null);

/** A table of the facts that differ from those that the form was made with. */
export function changesSince({ texts, value }: Visit, offer: OfferDetail): Html {
  const { decision, none } = texts;
  const seen = parsedFacts(value('seen'));
  const now = judgedFacts(offer, texts);
  const changed = namesOf(now).filter((name) => String(now[name]) !== String(seen[name] ?? null));
  return html`<table class="compare">
    <thead>
      <tr>
        <th>${none}</th>
        <th>${decision.was}</th>
        <th>${decision.is}</th>
      </tr>
    </thead>
    <tbody>
      ${changed.map(
        (name) =>
          html`<tr>
            <th scope="row">${decision.fields[name]}</th>
            <td>${shown(seen[name])}</td>
            <td class="changed">${shown(now[name])}</td>
          </tr>`,
      )}
    </tbody>
  </table>`;
}
