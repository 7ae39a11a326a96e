import { validationErrors, type ApiError } from '../http/api-error.ts';
import { fieldEntry } from '../validation/field-errors.ts';

/** Takes the text of a body piece by piece, and adds its items to a list. */
export type ItemReader = { readonly write: (text: string) => void; readonly end: () => void };

/** Adds an item to a list. Returns false once the list is full: later items are not read. */
export type AddItem = (item: unknown) => boolean;

/** The refusal of a whole body: nothing of it is stored. */
export const refusal = (code: string, message: string): ApiError =>
  validationErrors(fieldEntry([], code, message));
