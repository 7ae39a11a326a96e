import { invalid, type Failure, type FieldError } from '../../domain/errors.ts';
import { itemErrorsMax } from '../offers/bulk/bulk-results.ts';
import { storableText } from '../validation/fields.ts';

/**
 * The first errors of an item, at most `itemErrorsMax`, as its job can store them: the name of an
 * unknown field may have characters that Postgres does not store.
 */
export const storableErrors = (errors: readonly FieldError[]): readonly FieldError[] =>
  errors.slice(0, itemErrorsMax).map((error) => ({
    ...error,
    field: storableText(error.field),
    path: storableText(error.path),
  }));

/** The failure of a malformed item. */
export const storableFailure = (errors: readonly FieldError[]): Failure =>
  invalid(...storableErrors(errors)).failure;
