import * as v from 'valibot';
import type { Price } from '../../domain/vat.ts';
import { sarFromHalalas } from '../../domain/money.ts';
import { described, kind, type Texts } from './described.ts';
import { longListItem } from './json-schema.ts';
import { sample } from './sample.ts';

/** A response that the OpenAPI document shows under `components` as `title`. */
export const titled = <const TEntries extends v.ObjectEntries>(title: string, entries: TEntries) =>
  v.pipe(v.object(entries), v.title(title));

/** An enumeration of responses, which the OpenAPI document shows under `components` as `title`. */
export const enumeration = <const TOptions extends readonly string[]>(
  title: string,
  options: TOptions,
  description: string,
  example: TOptions[number],
) => described(v.pipe(v.picklist(options), v.title(title)), description, example);

const id = v.pipe(v.string(), v.uuid());
const integer = v.pipe(v.number(), v.integer());
/** The serializer writes a `Date` as this text. */
export const instant = v.pipe(v.string(), v.isoTimestamp()) as v.GenericSchema as v.GenericSchema<
  Date | string,
  string
>;
/** A field that may be null. */
export const orNull = <const TSchema extends v.GenericSchema>(schema: TSchema, ...texts: Texts) =>
  described(v.nullable(schema), ...texts);
/** A list of any number of items. */
export const list = <const TItem extends v.GenericSchema>(
  item: TItem,
  ...texts: Texts
): v.GenericSchema<readonly v.InferInput<TItem>[], v.InferOutput<TItem>[]> =>
  described(v.array(item), ...texts) as v.GenericSchema as never;

/** A field of one of the usual kinds, with its description and, where one is given, an example. */
export const field = {
  text: kind(v.string()),
  textOrNull: kind(v.nullable(v.string())),
  flag: kind(v.boolean()),
  integer: kind(integer),
  integerOrNull: kind(v.nullable(integer)),
  decimal: kind(v.number()),
  decimalOrNull: kind(v.nullable(v.number())),
  id: kind(id),
  idOrNull: kind(v.nullable(id)),
  instant: kind(instant),
  instantOrNull: kind(v.nullable(instant)),
};

export const vendorId = field.id("The vendor's id.", sample.vendorId);

export const historyText = 'Status changes, oldest first. Present only with `include=history`.';
const changeEntries = (to: string) => ({
  at: field.instant('When the status changed, in UTC.', sample.offerCreatedAt),
  from: field.textOrNull('The status before; null for the first status.', null),
  to: field.text('The status after.', to),
});
export const statusChange = longListItem(
  titled('StatusChange', {
    ...changeEntries('PendingReview'),
    reason: field.textOrNull('The reason that was given; null when there is none.', null),
  }),
);
/** Without the reason, which is for staff. */
export const statusChangeForVendor = titled('ReturnStatusChange', changeEntries('Pending'));

/** The payload of a deletion. */
export const deletedResponse = titled('Deletion', {
  deleted: field.flag('Always true.', true),
});

export const netOrNull = (price: Price | null): number | null =>
  price === null ? null : sarFromHalalas(price.netHalalas);
export const vatOrNull = (price: Price | null): number | null =>
  price === null ? null : sarFromHalalas(price.vatHalalas);
