import { jobItemsMax } from '../../domain/jobs/job.ts';
import { validationErrors, type ApiError } from '../http/api-error.ts';
import { fieldEntry } from '../validation/field-errors.ts';

/** Takes the text of a body piece by piece; `end` returns what was read. */
export type ItemReader<T> = { readonly write: (text: string) => void; readonly end: () => T };

/** Whether no further item is read: one above the limit is enough for the refusal. */
export const isFull = (items: readonly unknown[]): boolean => items.length > jobItemsMax;

/** The refusal of a whole body: nothing of it is stored. */
export const refusal = (code: string, message: string): ApiError =>
  validationErrors(fieldEntry([], code, message));
