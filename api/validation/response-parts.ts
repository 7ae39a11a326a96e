import * as v from 'valibot';
import type { Price } from '../../domain/vat.ts';
import { sarFromHalalas } from '../../domain/money.ts';

/** Pieces that several answers share. */
export const id = v.pipe(v.string(), v.uuid());
export const instant = v.pipe(v.string(), v.isoTimestamp());
export const integer = v.pipe(v.number(), v.integer());
export const decimal = v.number();
export const orNull = <const TSchema extends v.GenericSchema>(schema: TSchema) =>
  v.nullable(schema);

export const isoOrNull = (at: Date | null): string | null => at?.toISOString() ?? null;
export const netOrNull = (price: Price | null): number | null =>
  price === null ? null : sarFromHalalas(price.netHalalas);
export const vatOrNull = (price: Price | null): number | null =>
  price === null ? null : sarFromHalalas(price.vatHalalas);
