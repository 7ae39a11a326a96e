import { invalidFields, type Failure, type FieldError } from '../../domain/errors.ts';
import { itemErrorsMax } from '../offers/bulk/bulk-results.ts';

/** Postgres stores neither NUL nor lone surrogates, which the name of an unknown field may have. */
const storable = (text: string): string => text.toWellFormed().replaceAll('\0', '\ufffd');

/** The first errors of an item, at most `itemErrorsMax`, as its job can store them. */
export const storableErrors = (errors: readonly FieldError[]): readonly FieldError[] =>
  errors.slice(0, itemErrorsMax).map((error) => ({
    ...error,
    field: storable(error.field),
    path: storable(error.path),
  }));

/** The failure of a malformed item. */
export const storableFailure = (errors: readonly FieldError[]): Failure =>
  invalidFields(storableErrors(errors)).failure;
