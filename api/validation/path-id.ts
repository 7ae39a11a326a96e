import type { ErrorCode } from '../../domain/errors.ts';
import { apiError } from '../http/api-error.ts';
import { isUuid } from './fields.ts';

/** A path's id in lower case; one that is no uuid can name nothing: the resource's own 404 (D6). */
export function pathId(raw: string, notFound: ErrorCode): string {
  if (!isUuid(raw)) throw apiError(notFound);
  return raw.toLowerCase();
}
